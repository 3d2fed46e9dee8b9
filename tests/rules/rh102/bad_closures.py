import threading
from concurrent.futures import ThreadPoolExecutor


def total():
    count = 0

    def worker():
        nonlocal count
        for _ in range(1000):
            count += 1  # RH

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count


def tally(words):
    seen = {}
    state = {"words": 0}

    def worker(word):
        seen["all"] = seen.get("all", 0) + 1  # RH
        state["words"] += 1  # RH

    with ThreadPoolExecutor() as pool:
        list(pool.map(worker, words))
    return seen


def partly_guarded(words):
    lock = threading.Lock()
    left = 0

    def more(word):
        nonlocal left
        with lock:
            left += 1

    def fewer(word):
        nonlocal left
        left -= 1  # RH

    with ThreadPoolExecutor() as pool:
        list(pool.map(more, words))
        list(pool.map(fewer, words))
    return left
