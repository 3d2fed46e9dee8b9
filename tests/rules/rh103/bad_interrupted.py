import gc
import signal
import weakref

_open = {}
_workers = {}
_pauses = {}
_names = {}


class Handle:
    """What goes takes itself out of what all of them share."""

    _living = {}

    def __init__(self, name):
        _open[id(self)] = name
        self._living[id(self)] = name

    def __del__(self):
        _open.pop(id(self), None)
        del self._living[id(self)]

    @classmethod
    def living(cls):
        return [name.title() for name in Handle._living.values()]  # RH


def opened():
    for number, name in _open.items():  # RH
        print(number, name)


class Pool:
    def __init__(self):
        self._lent = {}

    def give_back(self, lease):
        if id(lease) in self._lent:
            del self._lent[id(lease)]

    def lent(self):
        return {number: str(since) for number, since in self._lent.items()}  # RH


class Lease:
    def __init__(self, pool: Pool):
        self._pool = pool

    def __del__(self):
        self._give_back()

    def _give_back(self):
        self._pool.give_back(self)


def reap(number, frame):
    for worker in list(_workers):
        del _workers[worker]


def status():
    for worker in _workers.values():  # RH
        print(worker)


signal.signal(signal.SIGCHLD, reap)


def paused(phase, info):
    _pauses[info["generation"]] = info["collected"]


def pauses():
    return {generation: str(number) for generation, number in _pauses.items()}  # RH


gc.callbacks.append(paused)


def register(item):
    _names[id(item)] = type(item).__name__
    weakref.finalize(item, _names.pop, id(item))


def names():
    for number, name in _names.items():  # RH
        yield f"{number}: {name}"


class Receivers:
    def __init__(self):
        self._all = []

    def connect(self, receiver):
        self._all.append(weakref.ref(receiver, self._disconnect))

    def _disconnect(self, reference):
        self._all.remove(reference)

    def send(self, value):
        for reference in self._all:  # RH
            reference()(value)
