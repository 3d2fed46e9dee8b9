import threading


class Client:
    def __init__(self):
        """Connects to nothing yet. The client is thread-safe."""
        self._indexes = {}

    def is_known(self, name):
        return name in self._indexes and self._indexes[name].fresh  # RH

    def forget(self, name):
        del self._indexes[name]


class Link:
    def __init__(self, connect):
        self._connect = connect
        self._socket = None
        self._thread = threading.Thread(target=self._serve)

    def start(self):
        self._thread.start()

    def _serve(self):
        while True:
            self._socket = self._connect()
            self._socket.wait()
            self._socket = None

    def say(self, text):
        if self._socket is not None:  # RH
            self._socket.send(text)
