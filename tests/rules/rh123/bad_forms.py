import threading

_lock = threading.Lock()
_started = False
_handlers = {}


def _start():
    global _started
    with _lock:
        if _started:
            return
        _started = True  # RH
    for name in discover():
        _handlers[name] = load(name)


def handle(name, event):
    _start()
    return _handlers[name](event)


class Rates:
    """The work is left to a helper, and whoever comes late is given what is there."""

    def __init__(self):
        self._lock = threading.Lock()
        self._known = False
        self._rates = None

    def rates(self):
        if not self._known:
            self._known = True  # RH
            self._fetch()
        return self._rates

    def _fetch(self):
        self._rates = download()

    def forget(self):
        with self._lock:
            self._rates = None


class Index:
    """The second look is under the lock, the first one is not: it finds the flag set while the lock is held."""

    def __init__(self):
        self._lock = threading.Lock()
        self._built = False
        self._entries = []

    def find(self, word):
        if not self._built:
            with self._lock:
                if not self._built:
                    self._built = True  # RH
                    for entry in scan():
                        self._entries.append(entry)
        return [entry for entry in self._entries if word in entry]


class Gateway:
    def __init__(self):
        self._open = False
        self._link = None

    async def _ensure_open(self):
        if not self._open:
            self._open = True  # RH
            await self._dial()

    async def _dial(self):
        self._link = await connect()

    async def ask(self, question):
        await self._ensure_open()
        return await self._link.ask(question)

    async def tell(self, news):
        await self._ensure_open()
        await self._link.tell(news)


def cached(load):
    lock = threading.Lock()
    filled = False
    rows = {}

    def fill():
        nonlocal filled
        with lock:
            if filled:
                return
            filled = True  # RH
        for key, row in load():
            rows[key] = row

    def row(key):
        fill()
        return rows[key]

    return row
