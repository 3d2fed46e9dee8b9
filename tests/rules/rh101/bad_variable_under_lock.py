import threading

_lock = threading.Lock()
_cache = {}
_waiting = []
_read = False
_options = {}


def get(key):
    if key in _cache:  # RH
        return _cache[key]
    with _lock:
        _cache[key] = build(key)
        return _cache[key]


def drop(key):
    with _lock:
        if key in _cache:
            del _cache[key]


def take():
    if _waiting:  # RH
        with _lock:
            return _waiting.pop()
    return None


def put(item):
    with _lock:
        _waiting.append(item)


def read_options(force=False):
    global _read
    if _read and not force:  # RH
        return
    with _lock:
        for name, value in parse():
            _options[name] = value
        tell_listeners(_options)
        _read = True


class Registry:
    def __init__(self):
        self._lock = threading.Lock()
        self._loaded = False
        self._items = []

    def load(self):
        if self._loaded:  # RH
            return
        with self._lock:
            for item in read():
                self._items.append(item)
            self._loaded = True


def remembered(function):
    lock = threading.Lock()
    known = {}

    def wrapper(key):
        if key in known:  # RH
            return known[key]
        with lock:
            known[key] = function(key)
            return known[key]

    def forget(key):
        with lock:
            known.pop(key, None)

    return wrapper, forget
