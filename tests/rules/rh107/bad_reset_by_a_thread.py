import threading


class Tally:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0

    def add(self, value):
        with self._lock:
            self._count += value

    def reset(self):
        self._count = 0  # RH


tally = Tally()
for number in range(3):
    threading.Thread(target=tally.add, args=(number,)).start()
threading.Thread(target=tally.reset).start()
