import json
from pathlib import Path


class Progress:
    def __init__(self, path):
        self.path = Path(path)
        self.data = {}

    def load(self):
        self.data = json.loads(self.path.read_text())

    def save(self):
        self.path.write_text(json.dumps(self.data))  # RH
