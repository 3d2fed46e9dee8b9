import threading


class Tally:
    def __init__(self):
        self.marks = 0
        self.lines = 0
        self.pages = 0
        self.words = 0


def mark(tally: Tally):
    tally.marks += 1  # RH


def line(tally):
    tally.lines += 1  # RH


SHARED = Tally()


def page():
    SHARED.pages += 1  # RH


def main():
    tally = Tally()

    def word():
        tally.words += 1  # RH

    for _ in range(4):
        threading.Thread(target=mark, args=(tally,)).start()
        threading.Thread(target=line, args=(tally,)).start()
        threading.Thread(target=page).start()
        threading.Thread(target=word).start()
