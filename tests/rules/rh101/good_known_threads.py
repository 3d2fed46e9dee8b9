import threading


class Client:
    def __init__(self):
        """Connects to nothing yet. The client is thread-safe."""
        self._indexes = {}

    def is_known(self, name):
        found = self._indexes.get(name)
        return found is not None and found.fresh

    def forget(self, name):
        self._indexes.pop(name, None)


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
        socket = self._socket
        if socket is not None:
            socket.send(text)
