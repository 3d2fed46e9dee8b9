from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

POOL = ThreadPoolExecutor(2)
OTHER = ThreadPoolExecutor(2)


def outer(item):
    POOL.submit(inner, item)
    return OTHER.submit(inner, item).result()


def inner(item):
    return item


def main():
    return [POOL.submit(outer, item).result() for item in range(9)]


def fresh(item):
    with ThreadPoolExecutor() as pool:
        return pool.submit(inner, item).result()


def second():
    return POOL.submit(fresh, 1).result()
