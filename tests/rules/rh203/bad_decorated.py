import asyncio
import functools
import threading

_lock = asyncio.Lock()


def serialized(function):
    @functools.wraps(function)
    async def wrapper(*args):
        async with _lock:
            return await function(*args)

    return wrapper


@serialized
async def load(name):
    return name


@serialized
async def load_all(names):
    return [await load(name) for name in names]  # RH


def locked(method):
    def wrapper(self, *args):
        with self._lock:
            return method(self, *args)

    return wrapper


class Playlist:
    def __init__(self):
        self._lock = threading.Lock()
        self._songs = []

    @locked
    def add(self, song):
        self._songs.append(song)

    @locked
    def add_all(self, songs):
        for song in songs:
            self.add(song)  # RH
