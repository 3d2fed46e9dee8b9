"""Where a function runs, and what it has in common there with others."""

from typing import NamedTuple


class Context(NamedTuple):
    what: str
    path: str
    line: int
    many: bool
    starter: str = ""
    """The class whose method starts it, as `path::Class`."""
    in_test: bool = False
    is_awaited: bool = False
    """The function that starts it does not return before it has ended."""

    def __str__(self) -> str:
        return f"{self.what} started at {self.path}:{self.line}"


class Activation(NamedTuple):
    """A function running in a context, with the roots that are shared there."""

    context: Context
    shared: frozenset[str]
