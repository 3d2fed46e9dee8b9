"""Whoever is woken does not look again: another one may have been faster."""

import threading


class Mailbox:
    def __init__(self):
        self._ready = threading.Condition()
        self._letters = []

    def put(self, letter):
        with self._ready:
            self._letters.append(letter)
            self._ready.notify_all()

    def get(self):
        with self._ready:
            if not self._letters:  # wait for one
                self._ready.wait()
            return self._letters.pop()


def check():
    box = Mailbox()
    box.put("a")
    assert box.get() == "a"
