import threading


class Ticker(threading.Thread):
    def __init__(self, display: "Display"):
        super().__init__()
        self.display = display
        self.done = threading.Event()

    def run(self):
        while not self.done.wait(1):
            self.display.refresh()

    def finish(self):
        self.done.set()
        self.join()


class Display:
    def __init__(self):
        self._lock = threading.RLock()
        self._ticker = None

    def start(self):
        self._ticker = Ticker(self)
        self._ticker.start()

    def refresh(self):
        with self._lock:
            print("tick")

    def stop(self):
        with self._lock:
            self._ticker.finish()  # RH

    def halt(self):
        with self._lock:
            self._ticker.done.set()
            self._ticker.join()  # RH

    def pause(self):
        with self._lock:
            ticker = self._ticker
        ticker.join()
