import threading


class Poller:
    def __init__(self):
        self.results = {}
        self.thread = None

    def start(self):
        self.thread = threading.Thread(target=self._loop)
        self.thread.start()

    def _loop(self):
        while True:
            self.results["x"] = 1

    def drop_old(self):
        for key in self.results:  # RH
            if key.old:
                del self.results[key]
