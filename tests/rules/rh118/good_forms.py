import threading


class Answer:
    def __init__(self):
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._value = None
        self._told = 0
        self._seen = False

    def deliver(self, value):
        self._value = value
        self._ready.set()
        self._told += 1

    def get(self, timeout):
        self._ready.wait(timeout)
        return self._value

    def told(self):
        return self._told

    def again(self, value):
        with self._lock:
            self._ready.set()
            self._seen = True

    def look(self):
        self._ready.wait()
        with self._lock:
            return self._seen


class Stopper(threading.Thread):
    def __init__(self):
        super().__init__()
        self._woken = threading.Condition()
        self._stopped = False

    def run(self):
        with self._woken:
            while not self._stopped:
                self._woken.wait()

    def stop(self):
        with self._woken:
            self._woken.notify_all()
            self._stopped = True


class Worker(threading.Thread):
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
        self.paused = True
        self.has_paused.clear()
