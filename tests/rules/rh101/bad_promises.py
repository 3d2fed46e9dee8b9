from concurrent.futures import ThreadPoolExecutor

seen = {}


def first_owner(key, path):
    if key not in seen:  # RH
        seen[key] = path
        return path
    return seen[key]


class Lazy:
    def __init__(self, factory):
        self.factory = factory
        self.made = False
        self.value = None

    def get(self):
        if not self.made:  # RH
            self.made = True
            self.value = self.factory()
        return self.value


tokenizer = Lazy(dict)


def work(pair):
    tokenizer.get()
    return first_owner(*pair)


def main(pairs):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(work, pairs))
