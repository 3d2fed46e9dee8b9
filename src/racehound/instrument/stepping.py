"""Built-in functions that take values one after the other, or ask a function of the program about each.

Each value is published when it is taken. What is done to it then (its truth is asked for, it is added to a sum, it
is compared with those before) reads it once more, and what it holds may belong to others: `any(q for q in queues)`
looks at each queue, `sorted(jobs, key=attrgetter("tags"))` goes through the lists that were answered.
"""

import heapq
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.instrument.iteration import stepwise
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.known import STEPPED
from racehound.instrument.looking import look, publish_look
from racehound.instrument.parts import elements, underlying
from racehound.instrument.published import PublishedCall
from racehound.instrument.voices import ARITHMETIC, COMPARISON, ITERATION, TRUTH, speaks


class Use(NamedTuple):
    """What is done to each value that is taken."""

    methods: Sequence[str]
    together: bool = False
    """Whether those that were taken before are looked at again."""
    deep: bool = False


_TESTED = Use(TRUTH)
_ORDERED = Use(COMPARISON, together=True, deep=True)
_USES: dict[object, tuple[int | None, Use]] = {
    **dict.fromkeys((any, all), (0, _TESTED)),
    **dict.fromkeys((min, max, sorted, itertools.groupby), (0, _ORDERED)),
    **dict.fromkeys((heapq.merge, heapq.nlargest, heapq.nsmallest), (None, _ORDERED)),
    sum: (0, Use(ARITHMETIC)),
    itertools.accumulate: (0, Use(ARITHMETIC, together=True)),
    itertools.compress: (1, _TESTED),
    **dict.fromkeys((filter, itertools.filterfalse), (1, _TESTED)),
}
"""The argument whose values are used, None for all, unless a function is given that is asked in their place."""

_ASKING: frozenset[object] = frozenset({itertools.groupby, heapq.nlargest, heapq.nsmallest})
"""Order what a function answers, which may be told by position."""

_ONE_BY_ONE: frozenset[object] = frozenset({min, max})
"""Take their arguments for the values if there are several."""


class Taken:
    """Publishes the use of each value when it is there."""

    __slots__ = ("_before", "_function", "_site", "_use")

    def __init__(self, site: int, use: Use, function: Any = None) -> None:
        self._site = site
        self._use = use
        self._function = function
        self._before: list[object] = []

    def __call__(self, *values: object) -> object:
        answer = values[0] if self._function is None else self._function(*values)
        execution = CONTROL.here()
        if execution is not None:
            self._publish(execution, answer)
        return answer

    def _publish(self, execution: Execution, answer: object) -> None:
        methods, together, deep = self._use
        if together and not look(execution, (answer,), methods, deep=deep) and not self._before:
            return
        self._before = [*self._before, answer] if together else [answer]
        publish_look(execution, self._site, self._before, methods, deep=deep)


class Taking:
    """Goes through the values."""

    __slots__ = ("_items", "_taken")

    def __init__(self, taken: Taken, items: Iterator[object]) -> None:
        self._taken = taken
        self._items = items

    def __iter__(self) -> "Taking":
        return self

    def __next__(self) -> object:
        return self._taken(next(self._items))


def asked(site: int, key: Any) -> Any:
    """A function that is asked for what values are ordered by, which is compared as soon as it has answered."""
    return key if key is None or CONTROL.callee is None else Taken(site, _ORDERED, CONTROL.callee(site, key))


class AskingCall(PublishedCall):
    """A function that may be given a `key`."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: Any) -> object:
        if kwargs.get("key") is not None and CONTROL.here() is not None:
            kwargs["key"] = asked(self.site, kwargs["key"])
        return super().__call__(*args, **kwargs)


class SteppingCall(PublishedCall):
    """A function that takes its arguments step by step."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        if CONTROL.here() is None:
            return self.function(*args, **kwargs)
        if self.function in _ONE_BY_ONE and len(args) > 1:
            key = kwargs.get("key")
            ordered = Taken(self.site, _ORDERED) if key is None else asked(self.site, key)
            return self.function(*args, **{**kwargs, "key": ordered})
        use = self._use(args, kwargs)
        stepping = [self._prepared(index, item, use) for index, item in enumerate(args)]
        return self.function(*stepping, **{name: self._named(name, item) for name, item in kwargs.items()})

    def _use(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int | None, Taken] | None:
        where, use = _USES.get(self.function, (None, None))
        calls = [args[index] for index in STEPPED[self.function].calls if index < len(args)]
        given = (*calls, kwargs.get("key"), kwargs.get("func"))
        if use is None or any(function is not None for function in given):
            return None
        return where, Taken(self.site, use)

    def _prepared(self, index: int, item: Any, use: tuple[int | None, Taken] | None) -> object:
        steps, calls = STEPPED[self.function]
        if index in calls:
            return asked(self.site, item) if self.function in _ASKING else self._planned(item)
        if index not in steps or not _can_be_taken(item):
            return item
        at_once = self.function is sorted and not _is_asked(item)
        items: Any = self._copied(item) if at_once else stepwise(self.site, item)
        return items if use is None or use[0] not in (None, index) else Taking(use[1], iter(items))

    def _copied(self, container: Any) -> list[object]:
        """What is in a container, taken before anything else happens."""
        execution = CONTROL.here()
        if execution is not None:
            publish_look(execution, self.site, (container,), ITERATION, deep=False)
        return list(container)

    def _planned(self, function: Any) -> Any:
        return function if function is None or CONTROL.callee is None else CONTROL.callee(self.site, function)

    def _named(self, name: str, item: Any) -> Any:
        if name == "key":
            return asked(self.site, item)
        return self._planned(item) if name == "func" else item


def _can_be_taken(item: object) -> bool:
    """What cannot is the function's to complain about; a number of items wanted, for example."""
    return hasattr(type(item), "__iter__") or hasattr(type(item), "__getitem__")


def _is_asked(subject: object) -> bool:
    """Whether an iterator, or code of the program, is asked for each item."""
    return hasattr(type(subject), "__next__") or speaks(type(subject), ITERATION)


class FoldingCall(SteppingCall):
    """`sum`, `min` and their like: one operation if no other code can run in between, else step by step."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        at_once = kwargs.get("key") is None and not any(_folds_by_code(item) for item in args)
        if execution is None or not at_once:
            return super().__call__(*args, **kwargs)
        publish_look(execution, self.site, args, (*ITERATION, *_FOLDING))
        return self.function(*args, **kwargs)


_FOLDING = (*COMPARISON, *ARITHMETIC, *TRUTH)


def _folds_by_code(subject: object) -> bool:
    """Whether code of the program, or of a generator, runs while a value is folded."""
    if SORTS.of(subject) is Sort.VIEW:
        subject = underlying(subject)
    return _is_asked(subject) or any(runs_code(item, _FOLDING) for item in elements(subject))


def runs_code(item: object, methods: Sequence[str], depth: int = 9) -> bool:
    """Whether code of the program runs when a value is compared or added; said of all that is nested too deep."""
    inner = any(runs_code(part, methods, depth - 1) for part in elements(item)) if depth else True
    return inner or speaks(type(item), methods)
