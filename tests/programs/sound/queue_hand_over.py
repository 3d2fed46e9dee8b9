"""A queue hands over an item to whoever waits for it."""

import queue


class Mailbox:
    def __init__(self) -> None:
        self.letters: queue.Queue[list[int]] = queue.Queue(maxsize=1)

    def send(self) -> None:
        letter = [1]
        self.letters.put(letter)

    def receive(self) -> int:
        letter = self.letters.get()
        letter.append(2)
        self.letters.task_done()
        return len(letter)


setup = Mailbox
WORKERS = [Mailbox.send, Mailbox.receive]
