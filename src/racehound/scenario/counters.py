"""Numbers that are drawn one by one: `ids = itertools.count()`, `new_id = itertools.count().__next__`.

They cannot be set back, so that another one takes their place which begins where they were. What else goes on from
one execution to the next is named: what comes of it differs in each, is not compared, and so not proven.
"""

import ast
import itertools
import random
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Put = Callable[[str, object], object]


@dataclass(frozen=True, slots=True)
class Counter:
    """One under a name, and what puts another one there."""

    name: str
    put: Put
    beginning: tuple[int | float, ...]
    asked: bool
    """Whether it is the function that draws the next number."""

    def put_back(self) -> None:
        fresh = itertools.count(*self.beginning)
        self.put(self.name, fresh.__next__ if self.asked else fresh)


def counters_in(held: Mapping[Any, object], put: Put) -> Iterator[Counter]:
    """The counters among what is held under names."""
    for name, value in held.items():
        source = getattr(value, "__self__", None) if type(value) is types.MethodWrapperType else value
        if type(source) is itertools.count and isinstance(name, str):
            yield Counter(name, put, _beginning(source), asked=source is not value)


def _beginning(counter: object) -> tuple[int | float, ...]:
    """Where it is now, as its text says without drawing a number."""
    call = ast.parse(repr(counter), mode="eval").body
    return tuple(map(ast.literal_eval, call.args)) if isinstance(call, ast.Call) else (0,)


_LASTING = (types.GeneratorType, random.Random, map, filter, zip, enumerate, itertools.chain, itertools.cycle)


def lasting_in(roots: Mapping[str, object]) -> set[str]:
    """Why not all can be compared: what cannot be put back."""
    lasting = [name for name, value in roots.items() if isinstance(value, _LASTING)]
    return {
        f"{name} goes on from one execution to the next, and what comes of it is not compared" for name in lasting
    }
