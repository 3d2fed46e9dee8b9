import time
from pathlib import Path


class DirectoryLock:
    def __init__(self, folder):
        self.path = Path(folder) / ".lock"

    def held(self):
        return self.path.is_file()

    def __enter__(self):
        while self.held():
            time.sleep(0.1)
        self.path.touch()  # RH
        return self
