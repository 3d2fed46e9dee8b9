"""Whether a pair is there is asked of a view; both find it missing."""


class Votes:
    def __init__(self) -> None:
        self.cast: dict[str, int] = {}
        self.first = 0

    def vote(self) -> None:
        if ("ann", 1) not in self.cast.items():
            self.cast["ann"] = 1
            self.first += 1


setup = Votes
WORKERS = [Votes.vote, Votes.vote]


def invariant(votes: Votes) -> bool:
    return votes.first == 1
