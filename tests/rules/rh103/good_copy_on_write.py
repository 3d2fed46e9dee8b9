import threading


class Core:
    def __init__(self):
        self.lock = threading.Lock()
        self.handlers = {}


class Logger:
    def __init__(self, core):
        self._core = core

    def remove(self, key):
        with self._core.lock:
            handlers = self._core.handlers.copy()
            handler = handlers.pop(key)
            self._core.handlers = handlers
            handler.stop()

    def remove_all(self):
        with self._core.lock:
            for key in list(self._core.handlers):
                handlers = self._core.handlers.copy()
                handler = handlers.pop(key)
                self._core.handlers = handlers
                handler.stop()

    def log(self, message):
        for handler in self._core.handlers.values():
            handler.emit(message)
