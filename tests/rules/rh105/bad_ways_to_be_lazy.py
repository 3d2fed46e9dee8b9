import threading


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._client = None
        self._pool = None
        self._log = None
        self._index = None

    def client(self):
        if not self._client:  # RH
            self._client = Client(self)
        return self._client

    def pool(self):
        if self._pool is not None:  # RH
            return self._pool
        self._pool = make_pool()
        return self._pool

    def through_helper(self):
        if self._is_missing():  # RH
            self._open()
        return self._log

    def _is_missing(self):
        return self._log is None

    def _open(self):
        self._log = open("log")

    def by_name(self):
        if not hasattr(self, "_late"):  # RH
            self._late = Client(self)
        return self._late

    def in_two_steps(self):
        index = self._index  # RH
        if index is None:
            index = {}
            self._index = index
        return index


class Derived(Base):
    def __init__(self):
        super().__init__()
        self._extra = None

    @property
    def extra(self):
        if self._extra is None:  # RH
            self._extra = {}
        return self._extra


class Client:
    def __init__(self, owner):
        self.owner = owner


def make_pool():
    return Client(None)
