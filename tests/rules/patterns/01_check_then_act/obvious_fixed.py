import threading


class SessionTable:
    """Thread-safe table of sessions."""

    def __init__(self):
        self.sessions = {}

    def touch(self, token):
        session = self.sessions.get(token)
        if session is not None:
            session.touch()

    def drop(self, token):
        self.sessions.pop(token, None)
