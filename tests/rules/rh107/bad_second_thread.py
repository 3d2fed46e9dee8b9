import threading


class Batch:
    def __init__(self):
        self._lock = threading.Lock()
        self._status = object()
        threading.Thread(target=self.watch).start()

    def watch(self):
        self.commit()

    def commit(self):
        self._status = object()  # RH
        threading.Thread(target=self._commit).start()

    def _commit(self):
        with self._lock:
            if self._status:
                self._status = object()
