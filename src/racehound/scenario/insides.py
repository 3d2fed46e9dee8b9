"""What objects and built-in containers hold, without asking the program.

A class derived from a container may have methods of its own by the usual names, and looking must not run them:
they publish, they raise, they change what is looked at. The same goes for `__getattr__`, which is asked for
whatever an object does not have.
"""

import collections
from collections.abc import Iterable

from racehound.instrument.attributes import held_by
from racehound.instrument.kinds import SORTS


def dictionary_of(subject: object) -> dict[str, object] | None:
    """Where an object keeps its attributes; None for one that has slots only."""
    if type(subject) in SORTS.odd:
        return held_by(subject)
    try:
        held: dict[str, object] = object.__getattribute__(subject, "__dict__")
    except AttributeError:
        return None
    return held


def base_of(mapping: dict[object, object]) -> type[dict[object, object]]:
    """The built-in class whose methods change it as a whole: an ordered one keeps a list beside the table."""
    return collections.OrderedDict if isinstance(mapping, collections.OrderedDict) else dict


def pairs_of(mapping: dict[object, object]) -> list[tuple[object, object]]:
    """Keys and values of a dictionary, in its order."""
    if isinstance(mapping, collections.OrderedDict):
        return [(key, dict.__getitem__(mapping, key)) for key in collections.OrderedDict.__iter__(mapping)]
    return list(dict.items(mapping))


def items_of(container: Iterable[object]) -> list[object]:
    """The elements of a list, tuple, set, deque or bytearray."""
    for kind in (list, tuple, set, frozenset, collections.deque, bytearray):
        if isinstance(container, kind):
            return list(kind.__iter__(container))  # type: ignore[arg-type]  # just found to be one
    return list(container)
