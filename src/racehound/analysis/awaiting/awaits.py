"""State that a coroutine counts on across an await, and who may change it meanwhile."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.awaited_locks import is_under_awaited_lock
from racehound.analysis.awaiting.idle_awaits import IdleAwaits
from racehound.analysis.awaiting.tasks import Tasks
from racehound.analysis.flow.paths import Paths
from racehound.analysis.locking.locksets import Locksets
from racehound.analysis.meaning.hierarchy import Hierarchy, outer_method
from racehound.analysis.state.fields import Fields, Use
from racehound.source.events import SELF, Action, Call, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

LIFECYCLE = re.compile(
    r"_*(a|async_|do_)?_*(__aenter__|__aexit__|start|stop|open|close|connect|disconnect|setup|set_up|teardown|init|"
    r"initiali[sz]e|shutdown|terminate|run|main|serve|begin|enter|exit|login|logout|on_start|on_stop|cleanup|join|"
    r"reconnect|restart|prepare|finish|end|wait|cancel|kill|abort)(_\w+)?_*"
)
"""Methods that are called once in the life of an object, by whoever owns it."""

_ENSURING = re.compile(r"(ensure|initiali[sz]e|init|connect|open|setup|set_up|log_?in|auth\w*)(_\w+)?")
"""Public steps that others begin with as well: each asks whether it is done already."""
_IN_TURN = re.compile(
    r"a?(next|read|write|send|recv|receive|poll|consume)(_(batch|chunk|command|event|frame|message)s?)?"
)
"""Steps through a stream, which one task takes one after the other."""
_LENT = re.compile(r"conn|session|client|resource|item|obj|worker|channel|socket", re.IGNORECASE)
"""What a pool is given back; a lock is given nothing, or who has held it."""
_KEEPERS = frozenset({"add", "append", "appendleft", "insert", "put", "put_nowait"})


class Scope(NamedTuple):
    """A class or a module, and the uses of its state by coroutines and what else runs on it."""

    owner: ClassFacts | ModuleFacts
    fields: dict[str, list[Use]]

    def coroutines(self) -> Iterator[tuple[str, list[Use], FunctionFacts]]:
        """Each field with all of its uses, once for each coroutine that uses it."""
        for field, uses in self.fields.items():
            for function in dict.fromkeys(use.function for use in uses if use.function.is_async):
                yield field, uses, function


class Awaits:
    def __init__(
        self, hierarchy: Hierarchy, fields: Fields, locksets: Locksets, tasks: Tasks, idle: IdleAwaits
    ) -> None:
        self._hierarchy = hierarchy
        self._fields = fields
        self._locksets = locksets
        self._tasks = tasks
        self._idle = idle
        self._paths: dict[FunctionFacts, Paths] = {}
        self._scopes: dict[tuple[ModuleFacts, ...], tuple[Scope, ...]] = {}

    def scopes(self, modules: tuple[ModuleFacts, ...]) -> tuple[Scope, ...]:
        """Classes and modules that have coroutines."""
        if modules not in self._scopes:
            self._scopes[modules] = tuple(self._find_scopes(modules))
        return self._scopes[modules]

    def _find_scopes(self, modules: tuple[ModuleFacts, ...]) -> Iterator[Scope]:
        for item in self._hierarchy.classes:
            if any(method.is_async for method in item.methods.values()) and not self._is_lock(item):
                yield Scope(item, self._fields.of_class(item))
        for module in modules:
            own = any(function.is_async for function in module.functions)
            if own or self._fields.is_used_by_coroutines(module):
                yield Scope(module, self._fields.of_module(module))

    def paths(self, function: FunctionFacts) -> Paths:
        if function not in self._paths:
            self._paths[function] = Paths(function, self._idle.of(function))
        return self._paths[function]

    def is_locked(self, first: Use, last: Use) -> bool:
        """True if one lock is held from one use to the other."""
        held = first.locks & last.locks
        for index in range(first.index, last.index):
            held &= self._locksets.at(first.function, index)
        return bool(held) or is_under_awaited_lock(first.function, first.index, last.index)

    def rival(self, use: Use, uses: list[Use]) -> Use | None:
        """A change, by the same function or another one, that a second task may make meanwhile."""
        changes = [other for other in uses if other.changes]
        same = [other for other in changes if other.function is use.function]
        for other in (*same, *(item for item in changes if item.function is not use.function)):
            if self._tasks.may_overlap(use.function, other.function):
                return other
        return None

    def is_meant_to_be_shared(self, owner: ClassFacts | ModuleFacts, use: Use, uses: list[Use]) -> bool:
        """True if the state belongs to the module, or a lock between tasks guards it elsewhere."""
        if LIFECYCLE.fullmatch(outer_method(use.function).name):
            return False
        if isinstance(owner, ModuleFacts):
            return True
        return any(other.locks and other.function.is_async for other in uses)

    def is_gone_through(self, function: FunctionFacts, *, several: bool) -> bool:
        """True for a step that other coroutines of the class begin with: tasks that call them meet there.

        With `several`, more than one of them does: what a step clears, the one who calls it may have to himself.
        """
        owner = function.owner
        if owner is None or not function.is_method:
            return False
        if not function.name.startswith("_") and not _ENSURING.fullmatch(function.name):
            return False
        callee = Place(SELF, (function.name,))
        callers = {
            outer_method(caller)
            for caller in self._hierarchy.effective(owner)
            for event in caller.events
            if isinstance(event, Call) and event.callee == callee and caller.is_async
        }
        usual = [
            item
            for item in callers - {function}
            if item.name != "__anext__" and not LIFECYCLE.fullmatch(item.name)
        ]
        alone = (item for item in usual if not item.name.startswith("_") and not _IN_TURN.fullmatch(item.name))
        return len(usual) > 1 or (not several and any(alone))

    def _is_lock(self, owner: ClassFacts) -> bool:
        """True for a class that is a lock itself: it knows who owns it across its awaits.

        A pool has methods of the same names, and keeps what is given back.
        """
        acquire, release = (self._hierarchy.method(owner, name) for name in ("acquire", "release"))
        if acquire is None or release is None:
            return False
        keeps = any(isinstance(item, Touch | Call) and item.method in _KEEPERS for item in release.events)
        given = release.parameters[1:]
        return not given or not (keeps or _LENT.search(given[0]))

    def is_claimed(self, function: FunctionFacts, pause: int, *, but: str = "") -> bool:
        """True if the function looks at a flag and sets it before it waits: a second caller turns back there.

        The field `but` does not count.
        """
        looked: set[Place] = set()
        for event in function.events[:pause]:
            if isinstance(event, Touch):
                if event.action is Action.CHECK and event.place.attributes != (but,):
                    looked.add(event.place)
                elif event.action is Action.WRITE and event.place in looked:
                    return True
        return False
