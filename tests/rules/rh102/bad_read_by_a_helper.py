import threading


class Pages:
    def __init__(self):
        self._page = 0
        self._seen = {}

    def _following(self):
        return self._page + 1

    def turn(self):
        self._page = self._following()  # RH

    def _count(self, word):
        return self._seen.get(word, 0)

    def tally(self, word):
        self._seen[word] = self._count(word) + 1  # RH


class Guarded:
    def __init__(self):
        self._lock = threading.Lock()
        self._page = 0

    def _following(self):
        return self._page + 1

    def turn(self):
        with self._lock:
            self._page = self._following()


def main(pages: Pages, guarded: Guarded):
    for _ in range(4):
        threading.Thread(target=pages.turn).start()
        threading.Thread(target=pages.tally, args=("word",)).start()
        threading.Thread(target=guarded.turn).start()
