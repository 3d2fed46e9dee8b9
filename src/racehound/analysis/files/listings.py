"""Directories that a function goes over, removing what it finds."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.events import Bind, Call, Event, Flow, Place, Shape, Span, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_LISTING = frozenset({"listdir", "scandir", "iterdir", "glob", "rglob", "iglob", "walk"})
_NEAR = 5
"""Events from the listing to the variable of the loop over it."""


class Removal(NamedTuple):
    call: FileCall
    at: int
    """Index of the removal among the events."""
    listing: Span
    directory: str
    """As the source says it."""


def removals(function: FunctionFacts) -> Iterator[Removal]:
    """The first removal in a loop, behind a listing, of what the loop is at."""
    listed = sorted((item for name in _LISTING for item in function.calls_of(name)), key=lambda item: item[0])
    if not listed:
        return
    items = set(_loop_names(function.events))
    for call in function.files:
        event = function.events[call.at]
        before = [listing for index, listing in listed if index < call.at]
        looped = isinstance(event, Call) and event.loop > 0
        if call.verb is FileVerb.REMOVE and looped and before and _is_of(function, call.value, items):
            yield Removal(call, call.at, before[-1].span, _directory(before[-1]))
            return


def listed_directory(function: FunctionFacts, name: str) -> Place | None:
    """The directory whose entries a variable of a loop stands for: `for path in sorted(self.folder.iterdir())`."""
    for index, event in enumerate(function.events):
        if isinstance(event, Bind) and event.name == name and function.events[index - 1] is Flow.LOOP:
            before = function.events[max(0, index - _NEAR) : index]
            calls = [item for item in before if isinstance(item, Call) and item.method in _LISTING]
            return _given_directory(calls[-1]) if calls else None
    return None


def _given_directory(listing: Call) -> Place | None:
    """`os.scandir(folder)`, or `folder.glob("*")`, where the argument is no place."""
    given = listing.arguments[0].place if listing.arguments else None
    owner = listing.receiver.place if listing.receiver is not None else None
    return given if given is not None or owner is None or owner.root == "os" else owner


def _loop_names(events: list[Event]) -> Iterator[str]:
    """Variables that a `for` loop gives values to."""
    for index, event in enumerate(events[:-1]):
        following = events[index + 1]
        if event is Flow.LOOP and isinstance(following, Bind):
            yield following.name


def _is_of(function: FunctionFacts, value: Value, items: set[str], depth: int = 3) -> bool:
    """True for the variable of a loop, or a path that is made of it."""
    place = value.place
    if value.shape is Shape.PLACE and place is not None:
        bound = function.bindings.get(place.root, ()) if depth and not place.attributes else ()
        return place.root in items or any(_is_of(function, item, items, depth - 1) for item in bound)
    return any(_is_of(function, item, items, depth) for item in value.arguments)


def _directory(listing: Call) -> str:
    given = listing.arguments[0].place if listing.arguments else None
    owner = listing.receiver.place if listing.receiver is not None else None
    return " ".join(str(place) for place in (given, owner) if isinstance(place, Place))
