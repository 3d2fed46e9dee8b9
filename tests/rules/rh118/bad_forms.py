import threading


class Answer:
    def __init__(self):
        self._ready = threading.Event()
        self._value = None

    def deliver(self, value):
        self._ready.set()
        self._value = value  # RH

    def get(self, timeout):
        self._ready.wait(timeout)
        return self._value


class Worker(threading.Thread):
    """The one who pauses it waits until it has seen so."""

    def __init__(self, jobs):
        super().__init__()
        self._jobs = jobs
        self.paused = False
        self.has_paused = threading.Event()

    def run(self):
        for job in self._jobs:
            if self.paused:
                self.has_paused.set()
                continue
            job()

    def pause(self):
        self.has_paused.clear()
        self.paused = True  # RH

    def resume(self):
        self.has_paused.clear()
        self.paused = False  # RH
