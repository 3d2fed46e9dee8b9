"""A worker that only `close` ends; what is sent is written before it ends, or refused."""

import queue
import threading


class Writer:
    def __init__(self) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.written: list[str] = []
        self.lock = threading.Lock()
        self.closed = False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while (line := self.lines.get()) is not None:
            self.written.append(line)

    def send(self) -> bool:
        with self.lock:
            if self.closed:
                return False
            self.lines.put("line")
        return True

    def close(self) -> int:
        with self.lock:
            self.closed = True
            self.lines.put(None)
        self.thread.join()
        return len(self.written)


setup = Writer
WORKERS = [Writer.send, Writer.close]
