import threading

_lock = threading.Lock()
_client = None
_pattern = None


def client():
    global _client
    if _client is None:
        with _lock:
            if _client is None:
                _client = object()
    return _client


def pattern():
    global _pattern
    if _pattern is None:
        _pattern = tuple("abc")
    return _pattern


class Made:
    _instance = object()

    @classmethod
    def get(cls):
        return cls._instance


class Locked:
    _instance = None

    def __new__(cls):
        with _lock:
            if cls._instance is None:
                cls._instance = super().__new__(cls)
        return cls._instance


class PerInstance:
    _value = None

    def value(self):
        if self._value is None:
            self._value = object()
        return self._value
