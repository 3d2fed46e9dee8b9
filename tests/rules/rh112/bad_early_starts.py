import threading
from concurrent.futures import ThreadPoolExecutor


class Pooled:
    def __init__(self, size):
        self._pool = ThreadPoolExecutor()
        self._pool.submit(self._loop)
        self._size = size  # RH

    def _loop(self):
        self._step()

    def _step(self):
        print(self._size)


class Timed:
    def __init__(self, text):
        timer = threading.Timer(1, self.show)
        timer.start()
        self.text = text  # RH

    def show(self):
        print(self.text)


class Base:
    def __init__(self):
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self):
        self.handle()

    def handle(self):
        pass


class Derived(Base):
    def __init__(self, queue):
        Base.__init__(self)
        self.queue = queue  # RH

    def handle(self):
        self.queue.get()
