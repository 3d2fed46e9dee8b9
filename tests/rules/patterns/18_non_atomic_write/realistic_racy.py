import os
import pickle


class Index:
    def __init__(self, directory):
        self._directory = directory

    def _file(self, name):
        return os.path.join(self._directory, name + ".pickle")

    def read(self, name):
        with open(self._file(name), "rb") as stream:
            return pickle.load(stream)

    def write(self, name, index):
        path = self._file(name)
        with open(path, "wb") as stream:  # RH
            pickle.dump(index, stream)
