import os
import pickle
from pathlib import Path

ROOT = Path("data")


class Index:
    def __init__(self, folders):
        self.folders = folders

    def load(self):
        name = os.path.join(self.folders[-1], "index")
        with open(name, "rb") as file:
            return pickle.load(file)

    def save(self, index):
        name = os.path.join(self.folders[-1], "index")
        with open(name, "wb") as file:  # RH
            pickle.dump(index, file)


def path_of(key):
    return ROOT / key


def load(key):
    return path_of(key).read_bytes()


def store(key, value):
    target = os.open(path_of(key), os.O_WRONLY | os.O_CREAT)  # RH
    os.write(target, value)


def compile_to(source, cached):
    with open(cached, "wb") as file:  # RH
        file.write(source)


def read_from(cached):
    with open(cached, "rb") as file:
        return file.read()


def get(source):
    cached = source + "c"
    compile_to(source, cached)
    return read_from(cached)
