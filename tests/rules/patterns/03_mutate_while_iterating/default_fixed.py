"""A copy is gone over."""

import threading
from collections import defaultdict


class Timings:
    def __init__(self):
        self._seconds = defaultdict(list)

    def note(self, name, seconds):
        self._seconds[name].append(seconds)

    def totals(self):
        return {name: sum(all_seconds) for name, all_seconds in list(self._seconds.items())}

    def start(self):
        threading.Thread(target=self._report, daemon=True).start()

    def _report(self):
        while True:
            print(self.totals())
