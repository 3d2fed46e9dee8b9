"""A thread is kept before it is started, and who finds it kept waits for its end."""

import threading


class Loaded:
    def __init__(self) -> None:
        self.loader: threading.Thread | None = None

    def load(self) -> None:
        self.loader = threading.Thread(target=list)
        self.loader.start()

    def wait(self) -> None:
        if self.loader is not None:
            self.loader.join()


setup = Loaded
WORKERS = [Loaded.load, Loaded.wait]
