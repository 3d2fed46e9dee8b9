import threading

_lock = threading.Lock()
_started = False
_handlers = {}


def _start():
    global _started
    with _lock:
        if _started:
            return
        _started = True
        for name in discover():
            _handlers[name] = load(name)


def handle(name, event):
    _start()
    return _handlers[name](event)


class Readers:
    """Whoever reads waits for the lock that is held from the flag to the work."""

    def __init__(self):
        self._lock = threading.Lock()
        self._built = False
        self._entries = []

    def _build(self):
        if self._built:
            return
        with self._lock:
            if not self._built:
                self._built = True
                self._entries.extend(scan())

    def find(self, word):
        self._build()
        with self._lock:
            return [entry for entry in self._entries if word in entry]


class Closed:
    """An end is noted first, so that nobody begins anew."""

    def __init__(self):
        self._lock = threading.Lock()
        self._closed = False
        self._farewell = None

    def close(self):
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._farewell = say_goodbye()

    def leave(self):
        self.close()
        return self._farewell


class Busy:
    """The flag says that somebody is at work, and is taken back."""

    def __init__(self):
        self._lock = threading.Lock()
        self._sending = False
        self._deadline = None

    def send(self, message):
        with self._lock:
            if self._sending:
                raise RuntimeError
            self._sending = True
        self._deadline = deadline_of(message)
        transmit(message)
        self._sending = False

    def left(self):
        self.send(b"")
        return self._deadline - now()


class Noted:
    """Nobody counts on what is done behind the flag."""

    def __init__(self):
        self._lock = threading.Lock()
        self._told = False
        self._at = None

    def tell(self):
        with self._lock:
            if self._told:
                return
            self._told = True
        self._at = now()

    def work(self):
        self.tell()
        return compute()


class OneTask:
    """Between the flag and the work no other task runs."""

    def __init__(self):
        self._open = False
        self._table = None

    async def _ensure_open(self):
        if not self._open:
            self._open = True
            self._table = make_table()

    async def ask(self, question):
        await self._ensure_open()
        return await self._table.ask(question)

    async def tell(self, news):
        await self._ensure_open()
        await self._table.tell(news)


class Alone:
    """No lock, no thread, no word of the class says that threads share it."""

    def __init__(self):
        self._known = False
        self._rates = None

    def rates(self):
        if not self._known:
            self._known = True
            self._rates = download()
        return self._rates
