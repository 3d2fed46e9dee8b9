import threading


class Ordered:
    def __init__(self):
        self.a = threading.Lock()
        self.b = threading.Lock()

    def one(self):
        with self.a:
            with self.b:
                pass

    def two(self):
        with self.a:
            self._inner()

    def _inner(self):
        with self.b:
            pass

    def after(self):
        with self.b:
            pass
        with self.a:
            pass

    def tries(self):
        with self.b:
            if self.a.acquire(blocking=False):
                self.a.release()

    def tries_for_a_while(self):
        with self.b:
            if self.a.acquire(timeout=1):
                self.a.release()


class Other:
    def __init__(self):
        self.a = threading.Lock()
        self.b = threading.Lock()

    def reversed_but_its_own(self):
        with self.b:
            with self.a:
                pass


class OneThread(threading.Thread):
    def __init__(self):
        super().__init__()
        self.a = threading.Lock()
        self.b = threading.Lock()

    def run(self):
        self._forth()
        self._back()

    def _forth(self):
        with self.a, self.b:
            pass

    def _back(self):
        with self.b, self.a:
            pass
