import threading


def singleton(cls):
    instances = {}

    def get(*args):
        if cls not in instances:  # RH
            instances[cls] = cls(*args)
        return instances[cls]

    return get


@singleton
class Board:
    def __init__(self):
        self.rows = []

    def read(self, channel):
        return len(self.rows) + channel


def watch(channel):
    print(Board().read(channel))


def start(channels):
    for channel in channels:
        threading.Thread(target=watch, args=(channel,)).start()
