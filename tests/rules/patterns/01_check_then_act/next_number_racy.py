"""Two threads find the name without a number, and both give it the next one."""


class Names:
    """Thread-safe: every name has one number."""

    def __init__(self):
        self._numbers = {}

    def number(self, name):
        if name not in self._numbers:  # RH
            self._numbers[name] = len(self._numbers)
        return self._numbers[name]
