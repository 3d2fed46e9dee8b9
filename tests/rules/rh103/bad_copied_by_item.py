import copy
import json
import pickle
import threading


class State:
    def __init__(self):
        self._lock = threading.Lock()
        self._values = {}
        self._seen = set()

    def set(self, key, value):
        with self._lock:
            self._values[key] = value
            self._seen.add(key)

    def snapshot(self):
        return copy.deepcopy(self._values)  # RH

    def write(self, file):
        json.dump(self._values, file)  # RH

    def pack(self):
        return pickle.dumps(self._seen)  # RH

    def locked(self):
        with self._lock:
            return copy.deepcopy(self._values)
