"""Functions of which there is never more than one run at a time: the main line of a program, and its steps.

A script that ends in `asyncio.run(main())` has one `main`; what that awaits, one after the other, is alone, too. A
function that somebody else may call is not.
"""

from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.awaiting.coroutines import RUNNERS, is_awaited, is_inside
from racehound.analysis.meaning.calls import Calls, Spawn
from racehound.analysis.threads.at_once import is_asked_at_once, is_awaited_at_once
from racehound.analysis.threads.listed_work import each_listed
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts, ModuleFacts

Spawned = tuple[FunctionFacts, int, Call, Spawn]


def spawns_and_steps(
    modules: Sequence[ModuleFacts], calls: Calls
) -> tuple[list[Spawned], frozenset[tuple[FunctionFacts, int]]]:
    """All that hands work to threads, and where the starter waits for it at once: that is a step of its own."""
    spawns = [found for module in modules for item in calls.spawning(module) for found in _spawns(calls, item)]
    return spawns, Lone(modules, calls).steps(spawns)


def _spawns(calls: Calls, function: FunctionFacts) -> Iterator[Spawned]:
    for index, event in enumerate(function.events):
        spawn = calls.spawn(function, event) if isinstance(event, Call) else None
        if spawn is not None and isinstance(event, Call):
            yield from ((function, index, event, item) for item in each_listed(function, index, spawn))


class Lone:
    def __init__(self, modules: Sequence[ModuleFacts], calls: Calls) -> None:
        self._modules = modules
        self._calls = calls
        self._known: dict[FunctionFacts, bool] = {}

    def steps(self, spawns: Iterable[Spawned]) -> frozenset[tuple[FunctionFacts, int]]:
        """Starts that are waited for at once, by one that blocks or by a coroutine that has no second run."""
        return frozenset(
            (function, index)
            for function, index, _, _ in spawns
            if is_asked_at_once(function, index)
            or (is_awaited_at_once(function, index) and self.is_alone(function))
        )

    def is_alone(self, function: FunctionFacts) -> bool:
        if function.is_module_body:
            return True
        if function not in self._known:
            self._known[function] = False  # functions that only call each other are nobody's steps
            self._known[function] = self._decide(function)
        return self._known[function]

    def _decide(self, function: FunctionFacts) -> bool:
        parent = function.parent
        if parent is None or not parent.is_module_body or function.owner is not None or function.decorators:
            return False
        if any(function.name in item.loads for item in function.module.functions):
            return False
        calls = list(self._calls_of(function))
        if not calls or not all(_is_in_line(function, *call) for call in calls):
            return False
        return all(self.is_alone(caller) for caller, _ in calls) and not self._is_imported(function)

    def _calls_of(self, function: FunctionFacts) -> Iterator[tuple[FunctionFacts, int]]:
        for caller in function.module.callers.get(function.name, ()):
            yield from ((caller, index) for index, _ in caller.calls_of(function.name))

    def _is_imported(self, function: FunctionFacts) -> bool:
        """True if another module imports the function, or may mean its module."""
        home = function.module.path.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
        names = {home, function.name, "*"}
        others = (item for item in self._modules if item is not function.module)
        return any(origin.rpartition(".")[2] in names for item in others for origin in item.imports.values())


def _is_in_line(function: FunctionFacts, caller: FunctionFacts, at: int) -> bool:
    """True for a call that is over before the caller goes on."""
    if not function.is_async:
        return True
    return is_awaited(caller, at) or _is_run(caller, at)


def _is_run(caller: FunctionFacts, at: int) -> bool:
    made, runner = caller.events[at], caller.events[at + 1] if at + 1 < len(caller.events) else None
    if not isinstance(made, Call) or not isinstance(runner, Call) or not is_inside(made.span, runner.span):
        return False
    origin = caller.module.imports.get(runner.callee.root if runner.callee is not None else "", "")
    named = ".".join((origin, *(runner.callee.attributes if runner.callee is not None else ())))
    return runner.method == "run_until_complete" or named in RUNNERS
