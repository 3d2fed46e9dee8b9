"""A list that is given away as arguments, while another task makes it longer."""


def count(*entries: str) -> int:
    return len(entries)


class Journal:
    def __init__(self) -> None:
        self.entries: list[str] = []
        self.length = 0

    def write(self) -> None:
        self.entries.append("today")
        self.length = count(*self.entries)


setup = Journal
WORKERS = [Journal.write, Journal.write]


def invariant(journal: Journal) -> bool:
    return journal.length == 2
