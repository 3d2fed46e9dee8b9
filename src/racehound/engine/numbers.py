"""Names of objects within one execution.

Objects are numbered in the order in which an execution first publishes them; the number is the same in every
execution that begins with the same choices.
"""

import weakref
from typing import TYPE_CHECKING

from racehound.engine.operation import ObjectId

if TYPE_CHECKING:
    from collections.abc import Hashable


class Numbers:
    def __init__(self) -> None:
        self._numbers: dict[Hashable, ObjectId] = {}
        self._next = 0
        self._kept: dict[ObjectId, object] = {}

    @property
    def count(self) -> int:
        """How many numbers have been given so far."""
        return self._next

    def number(self, subject: object, address: int | None = None) -> ObjectId:
        """The number of an object in this execution.

        `address` is given where something else stands for the object, as its dictionary does for its attributes.
        """
        key = id(subject) if address is None else address
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = ObjectId(self._next)
            self._next += 1
            self._hold(subject, key, known)
        return known

    def _hold(self, subject: object, key: int, number: ObjectId) -> None:
        """Learn of the object's end, so that another one at its address gets a number of its own.

        Keeping the object would put off its end, and with it whatever the program does then; only objects that
        cannot be watched are kept.
        """
        try:
            self._kept[number] = weakref.ref(subject, lambda _: self._numbers.pop(key, None))
        except TypeError:
            self._kept[number] = subject

    def object_of(self, number: ObjectId) -> object:
        """What has the number; None if it has a name only, or is gone."""
        kept = self._kept.get(number)
        return kept() if type(kept) is weakref.ref else kept

    def number_of(self, name: tuple[str, ...]) -> ObjectId:
        """The number of something that has a name rather than an identity, such as the globals of a module."""
        known = self._numbers.get(name)
        if known is None:
            known = self._numbers[name] = ObjectId(self._next)
            self._next += 1
        return known
