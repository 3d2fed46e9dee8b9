import threading


class Lines:
    def __init__(self):
        self.lock = threading.Lock()
        self.lines = []

    def add(self, line):
        with self.lock:
            self.lines.append(line)

    def flush(self, stream):
        with self.lock:
            lines, self.lines = self.lines, []
        for line in lines:
            stream.write(line)
