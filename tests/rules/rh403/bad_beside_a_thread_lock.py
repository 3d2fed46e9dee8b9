import json
import threading

SETTINGS = "/var/lib/shop/settings.json"


class Settings:
    def __init__(self):
        self.values = {}
        self._lock = threading.RLock()

    def write(self):
        with self._lock:
            data = json.dumps(self.values)
        with open(SETTINGS, "w") as out:  # RH
            out.write(data)

    def read(self):
        with open(SETTINGS) as source:
            values = json.load(source)
        with self._lock:
            self.values = values
