import threading


class Lines:
    def __init__(self):
        self.lock = threading.Lock()
        self.lines = []

    def add(self, line):
        with self.lock:
            self.lines.append(line)

    def flush(self, stream):
        for line in self.lines:
            stream.write(line)
        self.lines = []  # RH
