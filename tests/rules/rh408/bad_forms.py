import fcntl
import os


def acquire(path):
    flags = os.O_RDWR | os.O_CREAT
    flags |= os.O_TRUNC
    descriptor = os.open(path, flags)  # RH
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.write(descriptor, b"mine")
    return descriptor


class PidFile:
    def __init__(self, path):
        self._path = path

    def __enter__(self):
        self._file = open(self._path, mode="w")  # RH
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit("runs already") from None
        self._file.write(str(os.getpid()))
        return self
