import threading


def locked(method):
    def wrapper(self, *args):
        with self._lock:
            return method(self, *args)

    return wrapper


def alone(function):
    lock = threading.Lock()

    def wrapper(*args):
        with lock:
            return function(*args)

    return wrapper


class Playlist:
    def __init__(self):
        self._lock = threading.RLock()
        self._songs = []

    @locked
    def add(self, song):
        self._songs.append(song)

    @locked
    def add_all(self, songs):
        for song in songs:
            self.add(song)


@alone
def inner(item):
    print(item)


@alone
def outer(items):
    for item in items:
        inner(item)
