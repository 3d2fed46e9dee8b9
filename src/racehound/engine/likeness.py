"""Whether a task in the background has left everything as it was, though it has written to it.

A thread that takes what has gathered in a list and puts a fresh one in its place changes nothing as long as there
is nothing. What it can get at from its local variables is put into a form that is the same for states that only
differ in which of two equal, fresh objects they hold.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Final

from racehound.engine.mirror import Mirror

if TYPE_CHECKING:
    from collections.abc import Hashable

MOST = 2_000
"""Objects that are looked at."""

_VALUES: Final = (int, float, complex, str, bytes, bool, type(None))
_SEQUENCES: Final = (list, tuple, deque)
_OTHERS: Final = ("threading", "queue", __name__.partition(".")[0])


class Likeness:
    """The form of everything that a task can get at, and the objects that were looked into for it."""

    def __init__(self, frame: FrameType | None) -> None:
        """`frame`: where the task is now."""
        self.inside: dict[int, object] = {}
        self._met: dict[int, int] = {}
        self._kept: list[object] = []  # no address is used twice while forms are compared
        self.form: Hashable = tuple(self._of_frame(frame) for frame in _frames_of_program(frame))

    def _of_frame(self, frame: FrameType) -> "Hashable":
        return id(frame.f_code), frame.f_lasti, tuple(map(self._of, frame.f_locals.values()))

    def is_that_of(self, other: "Likeness") -> bool:
        """Whether all is as it was there."""
        return self.is_whole and other.is_whole and self.form == other.form

    @property
    def is_whole(self) -> bool:
        """Whether there was not too much to look at."""
        return len(self._met) <= MOST

    def _of(self, subject: object) -> "Hashable":
        kind = type(subject)
        if kind in _VALUES:
            return kind, subject
        known = self._met.get(id(subject))
        if known is not None or not self.is_whole:
            return "met", known
        self._met[id(subject)] = len(self._met)
        self._kept.append(subject)
        if kind in _SEQUENCES:
            return kind, self._inside(subject, subject)  # type: ignore[arg-type]  # it is one of these
        if kind is dict:
            return kind, self._inside(subject, [part for pair in subject.items() for part in pair])  # type: ignore[attr-defined]  # a dictionary
        if _is_plain(subject):
            return kind, self._inside(subject, [part for pair in vars(subject).items() for part in pair])
        return "is", id(subject)

    def _inside(self, subject: object, parts: Iterable[object]) -> "Hashable":
        self.inside[id(subject)] = subject
        return tuple(map(self._of, list(parts)))


def _is_plain(subject: object) -> bool:
    """Whether an object of the program keeps all it has in a dictionary of its own."""
    kind = type(subject)
    if isinstance(subject, type | Mirror) or kind.__module__.startswith(_OTHERS) or not kind.__dictoffset__:
        return False
    return all(_adds_nothing_unseen(base) for base in kind.__mro__[:-1])


def _adds_nothing_unseen(kind: type) -> bool:
    """Whether a class is made by a class statement, and has no slots."""
    slots = vars(kind).get("__slots__")
    return slots == () or (slots is None and (kind.__base__ is not object or "__weakref__" in vars(kind)))


def _frames_of_program(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if not str(frame.f_globals.get("__name__")).startswith(_OTHERS):
            yield frame
        frame = frame.f_back
