"""The wait is in a step of the class; nobody who calls it looks again."""

import threading


class Mailbox:
    def __init__(self):
        self._condition = threading.Condition()
        self._letters = []

    def take(self):
        with self._condition:
            self._await_letter()
            return self._letters.pop()

    def _await_letter(self):
        if not self._letters:
            self._condition.wait()  # RH

    def put(self, letter):
        self._letters.append(letter)
        self._wake()

    def _wake(self):
        self._condition.notify()  # RH
