import os
from pathlib import Path

PIDFILE = "/run/app.pid"


class Guard:
    def __init__(self, directory):
        self.lockfile = Path(directory) / "app.lock"

    def is_locked(self):
        return self.lockfile.exists()

    def acquire(self):
        if self.is_locked():
            raise RuntimeError("somebody else is at work")
        self.lockfile.touch()  # RH


def in_the_branch(lockfile):
    if not lockfile.exists():
        lockfile.touch()  # RH


def otherwise(lockfile):
    if lockfile.exists():
        print("busy")
    else:
        lockfile.write_text("mine")  # RH


def start(pid_file=PIDFILE):
    if os.path.isfile(pid_file):
        return False
    with open(pid_file, "w") as file:  # RH
        file.write(str(os.getpid()))
    return True


def by_suffix(work):
    marker = "/var/run/sync.pid"
    if os.path.exists(marker):
        return
    with open(marker, "w") as file:  # RH
        file.write(str(os.getpid()))
    work()
