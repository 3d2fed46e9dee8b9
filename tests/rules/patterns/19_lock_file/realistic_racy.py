from pathlib import Path


class PidFile:
    def __init__(self, path):
        self.pid_file = Path(path)

    def __enter__(self):
        if self.pid_file.exists():
            raise RuntimeError("already running")
        self.pid_file.write_text("1")  # RH
        return self

    def __exit__(self, *exc):
        self.pid_file.unlink(missing_ok=True)
