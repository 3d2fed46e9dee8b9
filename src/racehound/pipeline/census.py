"""What there is in the code to ask about: threads, coroutines, locks, tasks, collections, things made late.

These are facts of the code, whether or not a rule finds fault with them: that nothing was found does not say that
there is nothing to look at.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import NamedTuple


class Sight(NamedTuple):
    """A place, with what is there where that has a name."""

    path: str
    line: int
    name: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}"
        return f"`{self.name}` ({place})" if self.name else place


class State(NamedTuple):
    """A variable that several tasks may use, and how."""

    at: Sight
    """Where it is first changed, or else used, after it was made."""
    is_collection: bool
    bare: Sight | None
    """A change of it without a lock."""
    bare_access: Sight | None
    """Any use of it without a lock, changes first."""


class Making(NamedTuple):
    """Something that is made when it is first asked for."""

    at: Sight
    is_locked: bool
    """A lock is held where it is stored."""


@dataclass(slots=True)
class Census:
    """Places in the order of the files."""

    coroutines: list[Sight] = field(default_factory=list)
    threads: list[Sight] = field(default_factory=list)
    tasks: list[Sight] = field(default_factory=list)
    locks: list[Sight] = field(default_factory=list)
    primitives: list[Sight] = field(default_factory=list)
    early_primitives: list[Sight] = field(default_factory=list)
    """Those that are made as their module is imported, when no loop runs as a rule."""
    globals: list[Sight] = field(default_factory=list)
    """Variables of modules that functions change."""
    shared: list[State] = field(default_factory=list)
    """What several tasks use, as far as the code says so by itself."""
    of_coroutines: list[Sight] = field(default_factory=list)
    """Attributes that coroutines use and something changes."""
    held_awaits: list[Sight] = field(default_factory=list)
    """Awaits with a lock held, which they are named by."""
    bare_crossings: list[Sight] = field(default_factory=list)
    """Shared state that a coroutine reads and writes, with an await in between and no lock all the way."""
    locked_crossings: list[Sight] = field(default_factory=list)
    """The same, with a lock all the way."""
    loops: list[Sight] = field(default_factory=list)
    """Iterations over what is not local."""
    gets: list[Sight] = field(default_factory=list)
    """Entries that are asked for by `get`."""
    subscripts: list[Sight] = field(default_factory=list)
    """Entries that are read by `[]`, where they may be missing."""
    key_checks: list[Sight] = field(default_factory=list)
    """Keys that are looked for first and then used."""
    singletons: list[Making] = field(default_factory=list)
    lazy: list[Making] = field(default_factory=list)
    class_variables: list[Sight] = field(default_factory=list)
    late_class_variables: list[Making] = field(default_factory=list)
    """Those that functions set."""

    @property
    def is_concurrent(self) -> bool:
        return bool(self.coroutines or self.threads or self.tasks or self.locks)

    @property
    def shared_collections(self) -> list[State]:
        return [state for state in self.shared if state.is_collection]

    def put_in_order(self) -> None:
        """By file and line, each once; of a name in a file, the first place."""
        for item in fields(self):
            places = getattr(self, item.name)
            places[:] = _once(sorted(places, key=lambda place: place if isinstance(place, Sight) else place.at))


def _once(places: Iterable[Sight | State | Making]) -> list[Sight | State | Making]:
    seen: dict[object, Sight | State | Making] = {}
    for place in places:
        name = (place.path, place.name) if isinstance(place, Sight) and place.name else place
        seen.setdefault(name, place)
    return list(seen.values())
