import threading


class Started:
    """Set before, set in the class, set by the thread, or not used by it."""

    mode = "fast"

    def __init__(self):
        self.ready = None
        thread = threading.Thread(target=self._loop)
        thread.start()
        self.ready = True
        self.mode = "slow"
        self.result = None
        self.thread = thread

    def _loop(self):
        self.result = 3
        print(self.ready, self.mode, self.result)


class NotStarted:
    def __init__(self):
        self.thread = threading.Thread(target=self._loop)
        self.size = 3

    def _loop(self):
        print(self.size)


class Base(threading.Thread):
    def __init__(self):
        super().__init__()
        self.size = 1

    def run(self):
        print(self.size)


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.size = 2
