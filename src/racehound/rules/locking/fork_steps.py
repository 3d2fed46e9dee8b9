"""Where threads are started and processes are forked, also by way of helpers."""

from collections.abc import Iterator
from enum import Enum

from racehound.analysis.program import Program
from racehound.source.events import Call
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_FORKS = frozenset({"os.fork", "os.forkpty", "pty.fork"})
_NAMES = frozenset({"fork", "forkpty"})
_POOLS = frozenset({"multiprocessing.Pool", "multiprocessing.pool.Pool", "concurrent.futures.ProcessPoolExecutor"})
_POOL_NAMES = frozenset({"Pool", "ProcessPoolExecutor"})
_CHOICES = frozenset({"set_start_method", "get_context", "set_forkserver_preload"})
_DEPTH = 3
"""How many helpers lie between."""


class Fork(Enum):
    SURE = "on every system that can"
    USUAL = "where that is how processes are started"


class ForkSteps:
    """What calls start a thread that goes on, and what calls fork."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._starting: dict[FunctionFacts, bool] = {}
        self._forking: dict[FunctionFacts, Fork | None] = {}
        forking = [module for module in program.modules if _may_fork(module)]
        self._own = [function for module in forking for function in module.functions]
        self._names: frozenset[str] = frozenset()
        self._names = frozenset(item.name for item in self._own if self._fork_in(item, 0) is not None)
        self._forking.clear()  # so far no helpers were looked into
        self.is_method_chosen = any(not _CHOICES.isdisjoint(module.callers) for module in program.modules)

    def functions(self) -> Iterator[FunctionFacts]:
        """Those that fork, or call something by the name of one that does."""
        calling = (
            item
            for module in self._program.modules
            for name in sorted(module.callers.keys() & self._names)
            for item in module.callers[name]
        )
        yield from dict.fromkeys([*self._own, *calling])

    def starts_thread(self, function: FunctionFacts, call: Call, depth: int = _DEPTH) -> bool:
        if _starts(self._program, function, call, "threading.Thread"):
            return True
        helper = self._program.calls.target(function, call) if depth else None
        return helper is not None and helper is not function and self._leaves_thread(helper, depth - 1)

    def fork(self, function: FunctionFacts, call: Call, depth: int = _DEPTH) -> Fork | None:
        if call.callee is not None and call.method in _NAMES:
            return Fork.SURE if self._program.kinds.callee(function, call.callee) in _FORKS else None
        if _starts(self._program, function, call, "multiprocessing.Process") or self._is_pool(function, call):
            return Fork.USUAL
        named = depth and call.method in self._names
        helper = self._program.calls.target(function, call) if named else None
        return self._fork_in(helper, depth - 1) if helper is not None and helper is not function else None

    def _is_pool(self, function: FunctionFacts, call: Call) -> bool:
        if call.callee is None or call.method not in _POOL_NAMES:
            return False
        return self._program.kinds.callee(function, call.callee) in _POOLS

    def _leaves_thread(self, helper: FunctionFacts, depth: int) -> bool:
        """True if a thread runs on when the helper is done."""
        if helper not in self._starting:
            self._starting[helper] = False
            calls = [event for event in helper.events if isinstance(event, Call)]
            waits = any(call.method == "join" for call in calls)
            self._starting[helper] = not waits and any(self.starts_thread(helper, call, depth) for call in calls)
        return self._starting[helper]

    def _fork_in(self, helper: FunctionFacts, depth: int) -> Fork | None:
        if helper not in self._forking:
            self._forking[helper] = None
            calls = (event for event in helper.events if isinstance(event, Call))
            found = (self.fork(helper, call, depth) for call in calls)
            self._forking[helper] = next((fork for fork in found if fork is not None), None)
        return self._forking[helper]


def _may_fork(module: ModuleFacts) -> bool:
    packages = {name.partition(".")[0] for name in module.imports.values()}
    return any(not calls.isdisjoint(module.callers) and package in packages for package, calls in _BY_PACKAGE)


_BY_PACKAGE = (
    ("os", _NAMES),
    ("pty", _NAMES),
    ("multiprocessing", frozenset({"Process", *_POOL_NAMES})),
    ("concurrent", _POOL_NAMES),
)


def _starts(program: Program, function: FunctionFacts, call: Call, kind: str) -> bool:
    if call.method != "start" or call.receiver is None:
        return False
    return any(
        kind in program.hierarchy.outside_bases(item) if isinstance(item, ClassFacts) else item == kind
        for item in program.kinds.value(function, call.receiver)
    )
