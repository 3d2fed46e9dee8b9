import threading


def lines(path):
    with open(path) as file:
        yield from file


class Reader:
    """Thread-safe."""

    def __init__(self, path):
        self._lines = lines(path)
        self._squares = (number * number for number in range(100))

    def read(self):
        return next(self._lines)  # RH

    def square(self):
        return next(self._squares, None)  # RH


NUMBERS = (number for number in range(100))


def work():
    print(next(NUMBERS))  # RH


def main():
    for _ in range(4):
        threading.Thread(target=work).start()
