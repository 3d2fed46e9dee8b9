"""The count of readers is not guarded, so a writer may come in between two of them."""

import threading


class Document:
    def __init__(self) -> None:
        self._writing = threading.Lock()
        self.readers = 0
        self.left = "old"
        self.right = "old"

    def read(self) -> tuple[str, str]:
        self.readers += 1
        if self.readers == 1:
            self._writing.acquire()
        seen = (self.left, self.right)
        self.readers -= 1
        if self.readers == 0:
            self._writing.release()
        return seen

    def write(self) -> None:
        with self._writing:
            self.left = "new"
            self.right = "new"


setup = Document
WORKERS = [Document.read, Document.read, Document.write]
