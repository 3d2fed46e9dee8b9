import threading


class Response:
    """The last part of an exchange: whoever asked may add callbacks at any time."""

    def __init__(self):
        self._event = threading.Event()
        self._result = None
        self._callback = None
        self._errors = []
        self._error = None

    def on_result(self, callback, *args):
        if self._result is not None:
            callback(self._result, *args)
        else:
            self._callback = (callback, args)  # RH

    def on_error(self, callback):
        if self._error is None:
            self._errors.append(callback)  # RH
            return
        callback(self._error)

    def deliver(self, result):
        self._result = result
        self._event.set()
        if self._callback:
            callback, args = self._callback
            callback(result, *args)

    def fail(self, error):
        self._error = error
        self._event.set()
        for callback in self._errors:
            callback(error)

    def wait(self, timeout):
        return self._event.wait(timeout)


class Link:
    def __init__(self):
        self._lock = threading.Lock()
        self._address = None
        self._waiting = []

    def when_known(self, callback):
        if self._address is not None:
            callback(self._address)
            return
        with self._lock:
            self._waiting.append(callback)  # RH

    def found(self, address):
        self._address = address
        with self._lock:
            waiting = list(self._waiting)
        for callback in waiting:
            callback(address)
