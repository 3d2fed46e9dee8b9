import threading
from concurrent.futures import ThreadPoolExecutor


def guarded(words):
    lock = threading.Lock()
    count = 0
    seen = {}

    def worker(word):
        nonlocal count
        with lock:
            count += 1
            seen[word] = seen.get(word, 0) + 1

    with ThreadPoolExecutor() as pool:
        list(pool.map(worker, words))
    return count


def one_step_each(words):
    found = []
    done = False

    def worker(word):
        nonlocal done
        found.append(word)
        done = True

    for word in words:
        threading.Thread(target=worker, args=(word,)).start()
    return found, done


def one_thread():
    count = 0

    def worker():
        nonlocal count
        count += 1

    thread = threading.Thread(target=worker)
    thread.start()
    thread.join()
    return count


def own_cells(request):
    count = 0

    def step():
        nonlocal count
        count += 1

    step()
    step()
    return count + request


def cells_of_each_run(words):
    def one(word):
        count = 0

        def step():
            nonlocal count
            count += len(word)

        step()
        return count

    with ThreadPoolExecutor() as pool:
        pool.map(own_cells, words)
        return list(pool.map(one, words))


def shadowed(words):
    count = 0

    def worker(word):
        count = 0
        count += len(word)
        return count

    with ThreadPoolExecutor() as pool:
        return count, list(pool.map(worker, words))
