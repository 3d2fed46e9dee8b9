"""One race among two hundred operations that nobody shares."""


class Worker:
    def __init__(self) -> None:
        self.done = 0

    def work(self) -> int:
        own = {"sum": 0}
        for number in range(100):
            own["sum"] += number
        self.done += 1
        return own["sum"]


setup = Worker
WORKERS = [Worker.work, Worker.work]
