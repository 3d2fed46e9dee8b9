import fcntl
import os


def acquire(path):
    flags = os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, flags)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.ftruncate(descriptor, 0)
    return descriptor


def only_a_lock(path):
    """Nothing is ever in the file."""
    file = open(path, "w")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def under_the_lock(path, lock, text):
    with open(lock) as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        with open(path, "w") as file:
            file.write(text)
