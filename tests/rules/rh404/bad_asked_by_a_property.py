import os
from pathlib import Path


class Guard:
    def __init__(self, name):
        self.path = Path("/run/lock") / (name + ".lock")

    @property
    def taken(self):
        return self.path.exists()

    def claim(self):
        if self.taken:
            return False
        self.path.write_text(str(os.getpid()))  # RH
        return True
