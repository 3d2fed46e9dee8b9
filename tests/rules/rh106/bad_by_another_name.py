import threading


class Pool:
    _shared = None

    def __init__(self):
        self.connections = []

    @staticmethod
    def shared():
        klass = Pool
        if klass._shared is None:  # RH
            klass._shared = Pool()
        return klass._shared


def serve():
    Pool.shared().connections.append(object())


def main():
    for _ in range(8):
        threading.Thread(target=serve).start()
