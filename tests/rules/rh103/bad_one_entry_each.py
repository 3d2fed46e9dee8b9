import threading


class Hub:
    def __init__(self):
        self.clients = {}
        threading.Thread(target=self._beat, daemon=True).start()

    def connect(self, name, socket):
        self.clients[name] = socket

    def _beat(self):
        while True:
            self._send(b"ping")

    def _send(self, payload):
        for socket in self.clients.values():  # RH
            socket.sendall(payload)
