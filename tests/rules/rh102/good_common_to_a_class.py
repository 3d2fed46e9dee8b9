import threading
from dataclasses import dataclass, field

LOCK = threading.Lock()


class Worker(threading.Thread):
    done = 0
    steps = 0
    own: dict = {}

    def __init__(self, name):
        super().__init__()
        self.key = name
        self.own = {}

    def run(self):
        with LOCK:
            Worker.done += 1
        self.steps += 1
        self.own[self.key] += 1


@dataclass
class Job(threading.Thread):
    sizes: dict = field(default_factory=dict)

    def run(self):
        self.sizes["all"] += 1


def work(names):
    for name in names:
        Worker(name).start()
        Job().start()
