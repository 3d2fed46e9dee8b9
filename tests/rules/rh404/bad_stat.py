import os
import time


class FileLock:
    def __init__(self, name):
        self.lockfile = os.path.join("/var/lock", name + ".lock")

    def _held(self):
        try:
            os.stat(self.lockfile)
        except OSError:
            return False
        return True

    def _create(self):
        with open(self.lockfile, "w") as file:
            file.write(str(os.getpid()))

    def __enter__(self):
        while self._held():
            time.sleep(0.2)
        self._create()  # RH


def take(path="/run/backup.lock"):
    if os.access(path, os.F_OK):
        raise SystemExit("a backup is running")
    os.mknod(path)  # RH
