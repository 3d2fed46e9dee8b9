import functools
from concurrent.futures import ThreadPoolExecutor


def retry(times):
    left = times

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*words):
            nonlocal left
            while True:
                try:
                    return function(*words)
                except OSError:
                    left -= 1  # RH
                    if not left:
                        raise

        return wrapper

    return decorate


@retry(3)
def load(url):
    return open(url).read()


def main(urls):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(load, urls))
