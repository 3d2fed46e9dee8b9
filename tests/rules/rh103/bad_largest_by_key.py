import threading


class Board:
    def __init__(self):
        self.scores = {}

    def report(self, name, points):
        self.scores[name] = points

    def leader(self):
        return max(self.scores, key=self.worth)  # RH

    def last(self):
        return min(self.scores.items(), key=lambda pair: pair[1])  # RH

    def first(self):
        return min(self.scores), sorted(self.scores, key=self.worth)[0], max(1, 2, key=self.worth)

    def worth(self, name):
        return -len(name)


board = Board()


def play(name):
    board.report(name, 1)
    print(board.leader(), board.first(), board.last())


def main(names):
    for name in names:
        threading.Thread(target=play, args=(name,)).start()
