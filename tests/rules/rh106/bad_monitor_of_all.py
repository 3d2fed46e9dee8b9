"""A name that sounds like a lock, held by what is none; `__new__` runs in every thread that makes an object."""

import threading


class Monitor(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.start()

    def report(self):
        return self.is_alive()

    def stop(self):
        self.join()


class Bar:
    monitor = None
    _lock = threading.RLock()
    _bars = set()

    def __new__(cls):
        bar = object.__new__(cls)
        with cls._lock:
            cls._bars.add(bar)
        if cls.monitor is None or not cls.monitor.report():  # RH
            cls.monitor = Monitor()
        return bar

    @classmethod
    def _remove(cls, bar):
        with cls._lock:
            cls._bars.discard(bar)
            if not cls._bars and cls.monitor:
                cls.monitor.stop()
                cls.monitor = None
