import threading


class Sessions:
    def __init__(self):
        self._lock = threading.Lock()
        self._sessions = {}

    def has(self, key):
        with self._lock:
            return key in self._sessions

    def put(self, key, session):
        with self._lock:
            self._sessions[key] = session

    def drop(self, key):
        with self._lock:
            self._sessions.pop(key, None)

    def ensure(self, key):
        if not self.has(key):
            self.put(key, Session(key))  # RH

    def ensure_named(self, key):
        if not self.has(key):
            session = connect(key)
            self.put(key, session)  # RH

    def note(self, key):
        if not self.has(key):
            self.put(key, True)
