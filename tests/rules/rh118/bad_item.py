import threading


class Mailbox:
    def __init__(self):
        self._lock = threading.Lock()
        self._filled = threading.Event()
        self._items = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            while not self._items:
                self._filled.wait()
                self._filled.clear()
            with self._lock:
                print(self._items.pop(0))

    def send(self, item):
        self._filled.set()
        with self._lock:
            self._items.append(item)  # RH
