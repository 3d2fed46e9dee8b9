import os
import pickle

INDEX = os.path.expanduser("~/.cache/notes/index.pickle")


def read_blob(path, default):
    try:
        with open(path, "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        return default


def write_blob(path, value):
    with open(path, "wb") as file:  # RH
        pickle.dump(value, file)


class Index:
    def __init__(self, path=INDEX):
        self.path = path
        self.words = read_blob(path, {})

    def save(self):
        write_blob(self.path, self.words)
