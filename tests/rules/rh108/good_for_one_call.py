import threading


class LocalName:
    def __init__(self, tracer):
        self._batch_lock = threading.Lock()
        self._tracer = tracer
        self._batch = []

    def publish(self, message):
        with self._tracer.start("publish") as span:
            pass
        with self._batch_lock:
            self._batch.append(message)
        span.end()


class KeptForOthers:
    """Another method looks at it as well."""

    def __init__(self):
        self._batch_lock = threading.Lock()
        self._batch = []

    def publish(self, message):
        self._last = message
        with self._batch_lock:
            self._batch.append(message)
        tell(self._last)

    def last(self):
        return self._last


class NoSign:
    def sign(self, request):
        self._text = request.encode()
        self.check(request)
        return digest(self._text)

    def check(self, request):
        if not request:
            raise ValueError(request)


class UnderTheLock:
    def __init__(self):
        self._lock = threading.Lock()

    def sign(self, request):
        with self._lock:
            self._text = request.encode()
            check(request)
            return digest(self._text)


class LookedUpAtOnce:
    """Nothing runs between the two."""

    def __init__(self):
        self._lock = threading.Lock()
        self._all = []

    def sign(self, request):
        with self._lock:
            self._all.append(request)
        self._text = request
        text = self._text
        return text


class BeginsOnce:
    def __init__(self):
        self._lock = threading.Lock()
        self._all = []

    def start(self, address):
        self._address = address
        with self._lock:
            self._all.append(address)
        dial(self._address)
