"""Attributes that are never named: the dictionary behind the object, and functions that are given a name."""

from operator import attrgetter


class Tally:
    def __init__(self) -> None:
        self.votes = 0

    def vote(self) -> None:
        vars(self)["votes"] = getattr(self, "votes") + 1  # noqa: B009 - what it is about

    def vote_too(self) -> None:
        setattr(self, "votes", attrgetter("votes")(self) + 1)  # noqa: B010 - what it is about


setup = Tally
WORKERS = [Tally.vote, Tally.vote_too]


def invariant(tally: Tally) -> bool:
    return tally.votes == 2
