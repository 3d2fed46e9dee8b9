import threading

_LOCK = threading.Lock()


class Channel:
    _engines = {}
    _widths = {}

    def open(self, host):
        if host not in self._engines:
            with _LOCK:
                if host not in self._engines:
                    self._engines[host] = connect(host)
        return self._engines[host]

    def width(self, text):
        if text not in self._widths:
            self._widths[text] = len(text)
        return self._widths[text]


class Own:
    table = {}

    def __init__(self):
        self.table = {}

    def open(self, host):
        if host not in self.table:
            self.table[host] = connect(host)
        return self.table[host]


class Registered(type):
    def __call__(cls, name):
        with _LOCK:
            known = cls._look(name)
            if known is None:
                known = cls._table[name] = super().__call__(name)
        return known
