import os
import pickle
import tempfile


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
        handle, fresh = tempfile.mkstemp(dir=self._directory)
        with os.fdopen(handle, "wb") as stream:
            pickle.dump(index, stream)
        os.replace(fresh, path)
