import threading


class Spans:
    def __init__(self):
        self._lock = threading.Lock()
        self._spans = []

    def __len__(self):
        with self._lock:
            return len(self._spans)

    def __iter__(self):
        with self._lock:
            return iter(list(self._spans))

    def finish(self, span):
        with self._lock:
            self._spans.append(span)
            if len(self) > 100:  # RH
                self._spans.clear()

    def names(self):
        with self._lock:
            return [span.name for span in sorted(self)]  # RH


class Trimmed:
    def __init__(self):
        self._changed = threading.Condition(threading.Lock())
        self._items = []

    def _drop(self):
        self._trim()

    def _trim(self):
        with self._changed:
            del self._items[10:]

    def put(self, item):
        with self._changed:
            self._items.append(item)
            self._drop()  # RH
