"""The length is asked for once, and the list gets shorter."""


class Line:
    def __init__(self) -> None:
        self.people = ["a", "b", "c"]

    def call(self) -> list[str]:
        return [self.people[place] for place in range(len(self.people))]

    def leave(self) -> None:
        self.people.pop()


setup = Line
WORKERS = [Line.call, Line.leave]
