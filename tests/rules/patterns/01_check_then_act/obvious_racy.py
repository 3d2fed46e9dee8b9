import threading


class SessionTable:
    """Thread-safe table of sessions."""

    def __init__(self):
        self.sessions = {}

    def touch(self, token):
        if token in self.sessions:  # RH
            self.sessions[token].touch()

    def drop(self, token):
        self.sessions.pop(token, None)
