import threading


class Core:
    def __init__(self):
        self.lock = threading.Lock()
        self.handlers = {}


class Logger:
    """Whoever changes the handlers makes a copy, so that a message can go over them without a lock."""

    def __init__(self, core):
        self._core = core

    def add(self, key, handler):
        with self._core.lock:
            handlers = self._core.handlers.copy()
            handlers[key] = handler
            self._core.handlers = handlers

    def remove_all(self):
        with self._core.lock:
            handlers = self._core.handlers.copy()
            for key in list(handlers):
                handler = handlers.pop(key)  # RH
                levels = [item.level for item in handlers.values()]
                self._core.handlers = handlers
                handler.stop(levels)

    def replace(self, key, handler):
        with self._core.lock:
            handlers = dict(self._core.handlers)
            self._core.handlers = handlers
            handlers.update({key: handler})  # RH

    def log(self, message):
        for handler in self._core.handlers.values():
            handler.emit(message)
