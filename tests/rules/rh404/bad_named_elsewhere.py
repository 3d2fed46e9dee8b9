import os
import sys
import time
from pathlib import Path

NUMBER = "/var/run/agent.pid"


def main():
    if os.path.exists(NUMBER):
        sys.exit("already running")
    with open(NUMBER, "w") as file:  # RH
        file.write(str(os.getpid()))


class Build:
    def __init__(self, root):
        self.marker = Path(root) / ".lock"

    def __enter__(self):
        while self.marker.exists():
            time.sleep(0.1)
        self.marker.touch()  # RH
        return self


def claim(timeout, path: str = "/run/worker.lock") -> bool:
    while os.path.exists(path):
        time.sleep(timeout)
    with open(path, "w") as file:  # RH
        file.write("mine")
    return True
