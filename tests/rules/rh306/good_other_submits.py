from concurrent.futures import ThreadPoolExecutor


class Worker:
    """Its `submit` answers whether there was room."""

    def submit(self, callback):
        self._queue.put_nowait(callback)
        return True


class Transport:
    def __init__(self, worker):
        self._worker = worker
        self._made = Worker()

    def flush(self):
        self._worker.submit(lambda: self._report())
        self._made.submit(lambda: self._report())

    def _report(self):
        send()


class Client:
    """What runs passes everything on to what catches all errors."""

    def __init__(self):
        self._workers = ThreadPoolExecutor()

    def process(self, message):
        def run():
            self.tell(message)

        self._workers.submit(run)

    def tell(self, message):
        try:
            listen(message)
        except Exception:
            log(message)
