import threading
from concurrent.futures import ThreadPoolExecutor

from flask import Flask

app = Flask(__name__)
lock = threading.Lock()
settings = None
current = None
last_seen = None


@app.route("/a")
def guarded(user):
    global current
    with lock:
        current = user
        return str(current)


@app.route("/b")
def only_written(user):
    global last_seen
    last_seen = user
    return "ok"


@app.route("/c")
async def on_the_loop(user):
    global current
    current = user
    return str(current)


def configure(value):
    global settings
    settings = value
    print(settings)


class Job(threading.Thread):
    """Each has its own fields."""

    def __init__(self):
        super().__init__()
        self.step = None

    def run(self):
        self._go(1)

    def _go(self, step):
        self.step = step
        print(self.step)


class Worker:
    def __init__(self):
        self.item = None

    def work(self, item):
        self.item = item
        print(self.item)


def run(items):
    with ThreadPoolExecutor() as pool:
        for item in items:
            worker = Worker()
            pool.submit(worker.work, item)
    for _ in items:
        Job().start()
