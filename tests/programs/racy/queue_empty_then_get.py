"""Whether the queue holds something is asked first, and taken later."""

import queue


class Jobs:
    def __init__(self) -> None:
        self.jobs: queue.Queue[int] = queue.Queue()
        self.jobs.put(1)

    def take(self) -> int | None:
        if not self.jobs.empty():
            return self.jobs.get_nowait()
        return None


setup = Jobs
WORKERS = [Jobs.take, Jobs.take]
