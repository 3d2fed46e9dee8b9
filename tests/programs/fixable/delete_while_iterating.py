"""A dictionary that the loop over it makes smaller."""

import threading


class Sessions:
    def __init__(self):
        self.sessions = {"a": 1, "b": 2}

    def expire(self, now):
        for name, age in self.sessions.items():
            if age < now:
                del self.sessions[name]  # too old


def check():
    sessions = Sessions()
    sessions.expire(0)
    assert sessions.sessions == {"a": 1, "b": 2}
