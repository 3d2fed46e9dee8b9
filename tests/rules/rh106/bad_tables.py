import threading
from abc import ABCMeta

_LOCK = threading.Lock()


class Channel:
    _engines = {}

    def open(self, host):
        if host not in self._engines:  # RH
            engine = connect(host)
            self._engines[host] = engine, host
        return self._engines[host]


class Registered(ABCMeta):
    def __init__(cls, *args):
        super().__init__(*args)
        cls._instances = {}

    def __call__(cls, name, single=False):
        if single:
            known = cls._instances.get(name)  # RH
            if known:
                return known
        made = super().__call__(name)
        if single:
            cls._instances[name] = made
        return made
