import logging
import threading

_lock = threading.Lock()
_cache = {}
_told = False
_warned = False


def get(key):
    with _lock:
        if key in _cache:
            return _cache[key]
        _cache[key] = build(key)
        return _cache[key]


def drop(key):
    with _lock:
        _forget(key)


def clear():
    with _lock:
        for key in list(_cache):
            _forget(key)


def _forget(key):
    """All that call it hold the lock."""
    if key in _cache:
        del _cache[key]


def warn_once():
    """A message that is told twice does no harm."""
    global _told
    if _told:
        return
    with _lock:
        logging.warning("old")
        _told = True


class Loaded:
    def __init__(self):
        self._lock = threading.Lock()
        self._loaded = False
        self._items = []

    def load(self):
        if self._loaded:
            return
        with self._lock:
            if not self._loaded:
                self._items.extend(read())
                self._loaded = True


def kept(function):
    """No lock: each run of the function has a table of its own."""
    known = {}

    def wrapper(key):
        if key in known:
            return known[key]
        known[key] = function(key)
        return known[key]

    def forget(key):
        known.pop(key, None)

    return wrapper, forget


def tell_once():
    """That a message may be told twice is no matter, whoever is asked before."""
    global _warned
    if _warned:
        return
    with _lock:
        if threading.get_ident() in _cache:
            return
        _warned = True
    logging.warning("busy")
