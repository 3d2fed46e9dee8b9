import json
import os

import joblib


class Memory:
    def __init__(self, path):
        self.path = path

    def store(self, output):
        draft = f"{self.path}.new"
        joblib.dump(output, draft)
        os.replace(draft, self.path)

    def load(self):
        return joblib.load(self.path)


class Streams:
    """The file is open already: whoever opened it answers for it."""

    def __init__(self, file):
        self.file = file

    def store(self, output):
        json.dump(output, self.file)

    def load(self):
        return json.load(self.file)
