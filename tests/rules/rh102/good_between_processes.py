import multiprocessing
from multiprocessing import Pool, Process, Value

done = Value("i", 0)
progress = Value("i", 0)


def given(counter, lock, times):
    for _ in range(times):
        with counter.get_lock():
            counter.value += 1
        with lock:
            counter.value += 1


def start():
    counter, lock = multiprocessing.Value("i", 0), multiprocessing.Lock()
    for _ in range(4):
        multiprocessing.Process(target=given, args=(counter, lock, 100)).start()


def convert(number):
    with done.get_lock():
        done.value += 1
    seen = {}
    seen[number] = seen.get(number, 0) + 1


def convert_all():
    with Pool(4) as pool:
        pool.map(convert, range(100))


def only_one():
    progress.value += 1


def watch():
    Process(target=only_one).start()
    return progress.value
