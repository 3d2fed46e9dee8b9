"""One atomic operation each: the list ends up as in some serial order."""


class Log:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)


setup = Log
WORKERS = [lambda log: log.write("a"), lambda log: log.write("b")]
