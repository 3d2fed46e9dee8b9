import threading

import six


class Hub:
    def __init__(self):
        self.clients = set()
        self.names = {}
        threading.Thread(target=self._beat, daemon=True).start()

    def join(self, name, client):
        self.clients.add(client)
        self.names[name] = client

    def leave(self, name, client):
        self.clients.discard(client)
        self.names.pop(name, None)

    def _beat(self):
        while True:
            for number, client in enumerate(self.clients):  # RH
                client.ping(number)
            for name, client in six.iteritems(self.names):  # RH
                client.greet(name)
