import threading


class Locked:
    def __init__(self):
        self._lock = threading.Lock()
        self._result = None
        self._callbacks = []

    def on_result(self, callback):
        with self._lock:
            if self._result is None:
                self._callbacks.append(callback)
                return
        callback(self._result)

    def deliver(self, result):
        with self._lock:
            self._result = result
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback(result)


class Alone:
    """Nothing says that threads share it."""

    def __init__(self):
        self._result = None
        self._callbacks = []

    def on_result(self, callback):
        if self._result is not None:
            callback(self._result)
        else:
            self._callbacks.append(callback)

    def deliver(self, result):
        self._result = result
        for callback in self._callbacks:
            callback(result)


class Begun:
    """What is added before the start is found by it: nobody else is there yet."""

    def __init__(self):
        self._stop = threading.Event()
        self._pool = None
        self._plugins = []

    def add(self, plugin):
        if self._pool is None:
            self._plugins.append(plugin)
        else:
            self._pool.run(plugin)

    def start(self, pool):
        self._pool = pool
        for plugin in self._plugins:
            pool.run(plugin)


class LookedFirst:
    """The search comes before the store: whoever leaves something later is told so by the result."""

    def __init__(self):
        self._done = threading.Event()
        self._result = None
        self._seen = []

    def note(self, name):
        if self._result is None:
            self._seen.append(name)

    def deliver(self, result):
        print(len(self._seen))
        self._result = result
        self._done.set()


class OnLoop:
    def __init__(self):
        self._event = threading.Event()
        self._result = None
        self._callbacks = []

    async def on_result(self, callback):
        if self._result is not None:
            callback(self._result)
        else:
            self._callbacks.append(callback)

    async def deliver(self, result):
        self._result = result
        for callback in self._callbacks:
            callback(result)


class Position:
    """A number is no call that somebody waits for: whoever comes later finds the newest one."""

    def __init__(self):
        self._lock = threading.Lock()
        self._place = 0
        self._data = None

    def seek(self, place):
        if self._data is not None:
            self._place = place

    def fill(self, data):
        self._data = data
        return data[self._place :]
