"""The state of a future is asked before it is set."""

from concurrent.futures import Future


class Promise:
    def __init__(self) -> None:
        self.future: Future[int] = Future()

    def fulfil(self) -> None:
        if not self.future.done():
            self.future.set_result(1)


setup = Promise
WORKERS = [Promise.fulfil, Promise.fulfil]
