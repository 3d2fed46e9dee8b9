from concurrent.futures import ThreadPoolExecutor


def collect(words):
    seen = {}

    def worker(word):
        for known in seen:  # RH
            print(known)
        seen[word] = True

    with ThreadPoolExecutor() as pool:
        list(pool.map(worker, words))


class Index:
    def __init__(self):
        self._entries = {}

    def add(self, word):
        for entry in self._entries.values():  # RH
            print(entry)
        self._entries[word] = word


def main(index: Index, words):
    with ThreadPoolExecutor() as pool:
        list(pool.map(index.add, words))
