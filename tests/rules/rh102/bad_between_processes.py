import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process, Value

done = Value("i", 0)
counts = multiprocessing.Array("i", 8)


def given(counter, times):
    for _ in range(times):
        counter.value += 1  # RH


def start():
    counter = multiprocessing.Value("i", 0)
    for _ in range(4):
        multiprocessing.Process(target=given, args=(counter, 100)).start()


def convert(number):
    note(number)


def note(number):
    done.value += 1  # RH
    counts[number % 8] += 1  # RH


def convert_all():
    with Pool(4) as pool:
        pool.map(convert, range(100))


def weigh(number):
    done.value = done.value + number  # RH


def weigh_all(numbers):
    with ProcessPoolExecutor() as pool:
        for number in numbers:
            pool.submit(weigh, number)


class Crawler:
    def __init__(self):
        self.pages = Value("i", 0)

    def _crawl(self):
        self.pages.value += 1  # RH

    def crawl(self):
        first, second = Process(target=self._crawl), Process(target=self._crawl)
        first.start()
        second.start()


_total = None


def _take(total):
    global _total
    _total = total


def add(number):
    _total.value += number  # RH


def add_all(numbers):
    total = Value("i", 0)
    with Pool(4, initializer=_take, initargs=(total,)) as pool:
        pool.map(add, numbers)


class Worker(Process):
    def __init__(self, finished):
        super().__init__()
        self.finished = finished

    def run(self):
        self.finished.value += 1  # RH


def work():
    finished = Value("i", 0)
    for worker in [Worker(finished) for _ in range(4)]:
        worker.start()
