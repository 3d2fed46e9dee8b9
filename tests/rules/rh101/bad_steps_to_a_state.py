import enum
from concurrent.futures import ThreadPoolExecutor


class State(enum.Enum):
    FREE = 1
    HELD = 2


class Seat:
    def __init__(self):
        self.state = State.FREE
        self.holder = None


class Hall:
    def __init__(self, labels):
        self.seats = {label: Seat() for label in labels}
        self.refused = []

    def hold(self, label, who):
        seat = self.seats[label]
        if seat.state is not State.FREE:  # RH
            self.refused.append(who)
            raise ValueError(label)
        seat.state = State.HELD
        seat.holder = who
        return seat

    def hold_all(self, labels, who):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(self.hold, labels, who))
