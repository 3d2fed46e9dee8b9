import signal
import threading
import weakref

_lock = threading.Lock()
_alive = set()


def register(item):
    with _lock:
        _alive.add(id(item))
    weakref.finalize(item, forget, id(item))
    return weakref.ref(item, lambda _: sweep())


def forget(number):
    with _lock:  # RH
        _alive.discard(number)


def sweep():
    with _lock:  # RH
        _alive.clear()


class Base:
    _class_lock = threading.Lock()

    def open(self):
        with self._class_lock:
            pass


class Derived(Base):
    def __del__(self):
        self.close()

    def close(self):
        with self._class_lock:  # RH
            pass


_state = threading.Lock()


def change():
    with _state:
        pass


def handler(number, frame):
    change_on_signal()


def change_on_signal():
    with _state:  # RH
        pass


signal.signal(signal.SIGHUP, handler)
