import threading

COUNT = 0


def count():
    global COUNT
    COUNT += 1  # RH


def both():
    first = threading.Thread(target=count)
    second = threading.Thread(target=count)
    first.start()
    second.start()


class Meter:
    def __init__(self):
        self.calls = 0
        self.ticks = 0

    def call(self):
        self.calls += 1  # RH

    def tick(self):
        self.ticks += 1  # RH

    def start(self):
        threading.Thread(target=self.tick).start()
        threading.Thread(target=self.tick, daemon=True).start()


def beside_the_starter():
    meter = Meter()
    thread = threading.Thread(target=meter.call)
    thread.start()
    meter.call()
    thread.join()
