import os

import joblib
import numpy as np


class Memory:
    def __init__(self, directory):
        self.directory = directory

    def store(self, output):
        filename = os.path.join(self.directory, "output.pkl")
        joblib.dump(output, filename)  # RH


def load(directory):
    return joblib.load(os.path.join(directory, "output.pkl"))


class Weights:
    def __init__(self, path):
        self.path = path

    def save(self, values):
        np.save(self.path, values)  # RH

    def load(self):
        return np.load(self.path)
