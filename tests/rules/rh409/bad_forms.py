import os
import signal


class Service:
    def __init__(self, pid_path):
        self.pid_path = pid_path

    def number(self):
        if not self.pid_path.exists():
            return None
        return int(self.pid_path.read_text().strip())

    def stop(self):
        number = self.number()
        if number:
            os.killpg(number, signal.SIGTERM)  # RH

    def is_alive(self):
        os.kill(self.number(), 0)
