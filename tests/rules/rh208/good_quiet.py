import signal
import threading
import weakref

_again = threading.RLock()
_only_here = threading.Lock()
_stop = threading.Event()


class Own:
    def __init__(self):
        self._lock = threading.Lock()

    def close(self):
        with self._lock:
            pass

    def __del__(self):
        self.close()
        with _again:
            pass


def use():
    with _again:
        pass


def handler(number, frame):
    _stop.set()
    with _only_here:
        pass


signal.signal(signal.SIGTERM, handler)
signal.signal(signal.SIGINT, signal.SIG_IGN)


def finish(item):
    weakref.finalize(item, print, "gone")
    with _again:
        return weakref.ref(item)
