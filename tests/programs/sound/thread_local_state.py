"""State that every thread has for itself, in a global that outlives executions."""

import threading

LOCAL = threading.local()


class Counter:
    def next(self) -> int:
        LOCAL.count = getattr(LOCAL, "count", 0) + 1
        return LOCAL.count


setup = Counter
WORKERS = [Counter.next, Counter.next]
