import functools
import threading

config_lock = threading.Lock()
cache_lock = threading.Lock()


def synchronized(lock):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            with lock:
                return function(*args)

        return wrapper

    return decorate


@synchronized(config_lock)
def change(cache):
    with cache_lock:  # RH
        cache.clear()


@synchronized(cache_lock)
def look_up(config, key):
    with config_lock:
        return config.get(key)
