import os
from pathlib import Path


class PidFile:
    def __init__(self, path):
        self.pid_file = Path(path)

    def __enter__(self):
        handle = os.open(self.pid_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        os.write(handle, b"1")
        os.close(handle)
        return self

    def __exit__(self, *exc):
        self.pid_file.unlink(missing_ok=True)
