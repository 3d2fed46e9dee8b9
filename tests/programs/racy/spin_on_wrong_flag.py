"""Each waits by looking for what the other will write only afterwards: nobody ever gets further."""


class Rendezvous:
    def __init__(self) -> None:
        self.here = {"a": False, "b": False}

    def meet(self, me: str, other: str) -> None:
        while not self.here[other]:
            pass
        self.here[me] = True


setup = Rendezvous
WORKERS = [lambda meeting: meeting.meet("a", "b"), lambda meeting: meeting.meet("b", "a")]


def invariant(meeting: Rendezvous) -> bool:
    return all(meeting.here.values())
