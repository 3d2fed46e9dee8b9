import threading


class Publisher:
    """Its own lock, around a part of the call, says that several threads make it."""

    def __init__(self, tracer):
        self._batch_lock = threading.Lock()
        self._tracer = tracer
        self._batch = []

    def publish(self, message):
        with self._tracer.start("publish") as span:
            self._span = span  # RH
        self.check(message)
        with self._batch_lock:
            self._batch.append(message)
        self._span.end()

    def check(self, message):
        if not message:
            raise ValueError(message)


class Signer:
    """Thread-safe."""

    def sign(self, request):
        self._text = request.encode()  # RH
        self.check(request)
        return digest(self._text)

    def check(self, request):
        if not request:
            raise ValueError(request)
