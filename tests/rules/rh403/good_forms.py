import json
import os
import threading

REPORT = "report.txt"
LOCK = threading.Lock()
DATA = "data.json"


def write_only(text):
    with open(REPORT, "w") as file:
        file.write(text)


def append(text):
    with open(DATA, "a") as file:
        file.write(text)


def load():
    with LOCK, open(DATA) as file:
        return json.load(file)


def save(data):
    with LOCK, open(DATA, "w") as file:
        json.dump(data, file)


class Store:
    def load(self):
        return open(self.path).read()

    def save(self, text):
        with open(self.path + ".new", "w") as file:
            file.write(text)
        os.replace(self.path + ".new", self.path)


class Other:
    def save(self, text):
        with open(self.path, "w") as file:
            file.write(text)


def elsewhere(path, text):
    with open(path, "w") as file:
        file.write(text)


def reads(path):
    return open(path).read()
