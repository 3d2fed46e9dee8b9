"""`functools.lru_cache` under control: it looks, calls the function, and stores, with others in between.

The original is written in C, so what it does between calling the function and storing the result could not be
seen. Looking and storing are one step each, as they are there; two tasks that miss at the same time both call the
function. How often it was hit or missed is for statistics and no part of an outcome.
"""

import functools
from collections import OrderedDict
from collections.abc import Callable, Hashable
from types import MethodType
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.replacement import Replacement

_make_key: Callable[..., Hashable] = functools._make_key  # noqa: SLF001 - what the original goes by
_MISSING: Final = object()


class ControlledCache:
    """What `lru_cache` puts in place of a function; mirrors the original's methods."""

    def __init__(self, function: Callable[..., Any], maxsize: int | None, typed: bool, info: Any) -> None:
        self._function = function
        self._maxsize = maxsize
        self._typed = typed
        self._info = info
        self.held: OrderedDict[Hashable, object] = OrderedDict()
        self._hits = self._misses = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._maxsize == 0:
            self._misses += 1
            return self._function(*args, **kwargs)
        key = _make_key(args, kwargs, self._typed)
        self._publish("looks up")
        found = self.held.get(key, _MISSING)
        if found is not _MISSING:
            self._hits += 1
            self.held.move_to_end(key)
            return found
        self._misses += 1
        result = self._function(*args, **kwargs)
        self._publish("stores")
        self.held.setdefault(key, result)
        if self._maxsize is not None and len(self.held) > self._maxsize:
            self.held.popitem(last=False)
        return result

    def _publish(self, label: str) -> None:
        execution = CONTROL.in_charge()
        if execution is not None:
            effect = Effect(execution.number(self), WHOLE, writes=True)
            execution.step(Operation(Kind.WRITE, (effect,), site=CONTROL.site, label=label))

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def cache_info(self) -> Any:
        self._publish("looks up")
        return self._info(self._hits, self._misses, self._maxsize, len(self.held))

    def cache_clear(self) -> None:
        self._publish("clears")
        self.held.clear()
        self._hits = self._misses = 0


REPLACEMENTS: Final = (Replacement(functools, "_lru_cache_wrapper", ControlledCache),)
