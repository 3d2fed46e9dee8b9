import os
from pathlib import Path


def exclusive(lock_path):
    if os.path.exists(lock_path):
        return False
    with open(lock_path, "x"):
        return True


def not_a_lock(path, text):
    if not os.path.exists(path):
        with open(path, "w") as file:
            file.write(text)


def other_lock(lock_a, lock_b):
    if os.path.exists(lock_a):
        Path(lock_b).touch()


def under_a_lock(lock_path, mutex):
    with mutex:
        if not os.path.exists(lock_path):
            Path(lock_path).touch()


def renews(lock_path):
    if os.path.exists(lock_path):
        with open(lock_path, "w") as file:
            file.write("mine")


class Locker:
    """Keeps versions in a file that is called lock."""

    def write(self, data):
        if self.lock.exists():
            data = merge(data, self.lock.read_text())
        self.lock.write_text(data)


def clock(clock_file):
    if not os.path.exists(clock_file):
        Path(clock_file).touch()
