"""Two callers get the same number."""


class Tickets:
    def __init__(self) -> None:
        self.last = 0

    def draw(self) -> int:
        number = self.last + 1
        self.last = number
        return number


setup = Tickets
WORKERS = [Tickets.draw, Tickets.draw, Tickets.draw]
