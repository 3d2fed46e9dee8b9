import queue
import threading
from concurrent.futures import ThreadPoolExecutor


class OwnJobs:
    def __init__(self):
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(4)
        self._done = 0

    def submit(self, job):
        return self._pool.submit(self._run, job)

    def _run(self, job):
        job()
        with self._lock:
            self._done += 1

    def shutdown(self):
        with self._lock:
            self._pool.shutdown(wait=True)  # RH


class FilledOneByOne:
    def __init__(self):
        self._lock = threading.Lock()
        self._threads = []
        self._count = 0

    def start(self):
        for _ in range(3):
            thread = threading.Thread(target=self._run)
            self._threads.append(thread)
            thread.start()

    def _run(self):
        with self._lock:
            self._count += 1

    def stop(self):
        with self._lock:
            for thread in self._threads:
                thread.join()  # RH


class FilledAtOnce:
    def __init__(self):
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run) for _ in range(3)]
        self._count = 0

    def _bump(self):
        with self._lock:
            self._count += 1

    def _run(self):
        self._bump()

    def stop(self):
        self._lock.acquire()
        try:
            for thread in list(self._threads):
                thread.join()  # RH
        finally:
            self._lock.release()


class DoneAfterTheLock:
    def __init__(self):
        self._lock = threading.Lock()
        self._jobs = queue.Queue()
        self._ready = threading.Event()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self):
        with self._lock:
            self._prepare()
        self._ready.set()
        while True:
            job = self._jobs.get()
            with self._lock:
                print(job)
            self._jobs.task_done()

    def _prepare(self):
        pass

    def flush(self):
        with self._lock:
            self._jobs.join()  # RH

    def wait(self):
        with self._lock:
            self._ready.wait()  # RH


class Ticker(threading.Thread):
    def __init__(self, board):
        super().__init__()
        self.board = board
        self.done = threading.Event()

    def stop(self):
        self.done.set()
        self.join()

    def run(self):
        while not self.done.wait(1):
            with self.board._lock:
                self.board.tick()


class Board:
    def __init__(self):
        self._lock = threading.Lock()
        self._ticker = None

    def start(self):
        with self._lock:
            self._ticker = Ticker(self)
            self._ticker.start()

    def tick(self):
        pass

    def stop(self):
        with self._lock:
            self._ticker.stop()  # RH
