"""Ends of objects that somebody looks for by a weak reference.

An object ends in the middle of a step, where its last reference goes; that it does is an effect of that step.
"""

import weakref
from collections.abc import Callable

from racehound.engine.operation import LIFE, Effect, ObjectId


class Lives:
    """The objects of one execution whose end is watched for."""

    def __init__(self, number: Callable[[object], ObjectId], bring_about: Callable[[Effect], None]) -> None:
        self._number = number
        self._bring_about = bring_about
        self._watched: dict[ObjectId, weakref.ReferenceType[object]] = {}

    def of(self, subject: object) -> Effect:
        """The effect of asking whether the object is still there."""
        number = self._number(subject)
        if number not in self._watched:
            end = Effect(number, LIFE, writes=True)
            self._watched[number] = weakref.ref(subject, lambda _: self._bring_about(end))
        return Effect(number, LIFE, writes=False)
