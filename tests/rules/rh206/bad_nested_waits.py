from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(2)


def outer(item):
    return helper(item)


def helper(item):
    return POOL.submit(inner, item).result()  # RH


def inner(item):
    return item


def main():
    return [POOL.submit(outer, item) for item in range(9)]


class Base:
    def __init__(self):
        self.pool = ThreadPoolExecutor()

    def split(self, job):
        parts = self.pool.submit(inner, job)
        return parts.result()  # RH


class Derived(Base):
    def run(self, jobs):
        return list(self.pool.map(self.split, jobs))
