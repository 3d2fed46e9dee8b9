import socket
import threading


class Shipper:
    def __init__(self, address):
        self.address = address
        self.sock = None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            self.connection().sendall(b"line")

    def connection(self):
        if self.sock is None:  # RH
            self.sock = socket.create_connection(self.address)
        return self.sock

    def ping(self):
        self.connection().sendall(b"ping")


def install(address):
    shipper = Shipper(address)
    threading.Timer(5, shipper.ping).start()
    return shipper
