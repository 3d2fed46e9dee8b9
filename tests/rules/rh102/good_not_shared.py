import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


class Job:
    def __init__(self):
        self.steps = 0

    def run(self):
        self.steps += 1


def one_job_per_thread(items):
    for _ in items:
        job = Job()
        threading.Thread(target=job.run).start()


def make_a_job_inside():
    job = Job()
    job.run()


def start():
    for _ in range(3):
        threading.Thread(target=make_a_job_inside).start()


class Ordered:
    def __init__(self):
        self.n = 0
        self._pool = ThreadPoolExecutor(max_workers=1)

    def start(self):
        self._pool.submit(self._work)

    def _work(self):
        self.n += 1


class Elsewhere:
    def __init__(self):
        self.n = 0
        self._pool = ProcessPoolExecutor()

    def start(self):
        self._pool.submit(self.work)

    def work(self):
        self.n += 1


class Denied:
    """Counts. Not thread-safe."""

    def __init__(self):
        self.n = 0

    def bump(self):
        self.n += 1


class Lonely(threading.Thread):
    def __init__(self):
        super().__init__()
        self.done = 0

    def run(self):
        self.done += 1


class Building:
    """Thread-safe."""

    def __init__(self):
        self.n = 0
        self._fill()

    def _fill(self):
        self.n += 1


class Local:
    def __init__(self):
        self._lock = threading.Lock()
        self._local = threading.local()

    def bump(self):
        self._local.n += 1


class Defaulted:
    """Thread-safe."""

    def __init__(self):
        self.value = None

    def get(self):
        self.value = self.value or 3


class Copied:
    """Thread-safe."""

    def __init__(self):
        self.values = {}

    def copy(self, source, target):
        self.values[target] = self.values[source]


COUNT = 0


def shadowed():
    COUNT = 0
    COUNT += 1
    return COUNT


def alone():
    global COUNT
    COUNT += 1


class Single:
    def __init__(self):
        self.n = 0

    def start(self):
        self.n += 1
        threading.Thread(target=self.loop).start()

    def loop(self):
        self.n += 1
