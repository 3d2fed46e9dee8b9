"""Work in a pool waits for other work in the same pool.

A worker that submits to its own pool and waits for the result occupies a thread that the submitted work may need.
When as many workers wait as there are threads, nobody is left to do what they wait for. With a small load there is
always a thread free, so it shows under a large one.

Use a second pool for the inner work, or do it in the same thread.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import SELF, Action, Bind, Call, Place, Shape, Value
from racehound.source.facts import FunctionFacts

_DEPTH = 3


class _Submission(NamedTuple):
    pool: tuple[str, Place]
    function: FunctionFacts
    at: int
    target: FunctionFacts


class PoolWaitsForItself(Rule):
    meta = RuleMeta(
        code="RH206",
        name="pool-waits-for-itself",
        summary="`{function}` runs in `{pool}` and waits there for other work in `{pool}`",
        severity=Severity.ERROR,
        race_type="Pool Starvation",
        impact="Deadlock: all threads of the pool wait for work that none of them is free to do.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            class Crawler:
                def __init__(self):
                    self._pool = ThreadPoolExecutor(4)

                def start(self, url):
                    return self._pool.submit(self._page, url)

                def _page(self, url):
                    links = self._pool.submit(read_links, url)
                    return links.result()  # RH
            """),
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            POOL = ThreadPoolExecutor(4)

            def measure(root):
                return POOL.submit(size_of, root).result()

            def size_of(folder):
                parts = [POOL.submit(size_of, child) for child in folder.children]
                return folder.size + sum(part.result() for part in parts)  # RH
            """),
    )
    good = (
        Good("""
            from concurrent.futures import ThreadPoolExecutor

            class Crawler:
                def __init__(self):
                    self._pages = ThreadPoolExecutor(4)
                    self._links = ThreadPoolExecutor(4)

                def start(self, url):
                    return self._pages.submit(self._page, url)

                def _page(self, url):
                    links = self._links.submit(read_links, url)
                    return links.result()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in dict.fromkeys((*module.callers.get("submit", ()), *module.callers.get("map", ()))):
                for submission in _submissions(program, function):
                    for inner in _reached(program, submission.target, _DEPTH):
                        yield from self._waits(program, submission, inner)

    def _waits(self, program: Program, submission: _Submission, function: FunctionFacts) -> Iterator[Finding]:
        for index, event in enumerate(function.events):
            if not isinstance(event, Call) or event.method != "result" or event.receiver is None:
                continue
            pools = {_pool(program, function, value) for value in _made(function, event.receiver)}
            if submission.pool in (pools or _submitted_to(program, function, index)):
                yield self._accuse(program, submission, function, index)

    def _accuse(self, program: Program, submission: _Submission, function: FunctionFacts, index: int) -> Finding:
        pool = str(submission.pool[1])
        first = operation(program, function, index, Action.WAIT, Place(pool))
        second = operation(program, submission.function, submission.at, Action.START, Place(pool))
        accusation = Accusation(
            owner=owner_of(function),
            field=(submission.pool[1].attributes or (submission.pool[1].root,))[0],
            first=first,
            second=second,
            trigger=(
                f"As many threads as `{pool}` has run `{function.name}` at once; each waits for work that stands "
                "in the queue behind them."
            ),
            confidence=LockDoubt.LIMITED_WAIT.possible if _ends(function, index) else CERTAIN,
            grade=Grade.GIL,
            evidence=(second, first) if function.module is submission.function.module else (first,),
        )
        return self.accuse(program, accusation, function=function.name, pool=pool)


def _ends(function: FunctionFacts, index: int) -> bool:
    """True for a wait with a limit, after which the worker is free again."""
    event = function.events[index]
    return isinstance(event, Call) and bool(event.arguments or event.keywords)


def _submissions(program: Program, function: FunctionFacts) -> Iterator[_Submission]:
    for index, event in enumerate(function.events):
        if isinstance(event, Call) and event.method in {"submit", "map"} and event.receiver is not None:
            spawn = program.calls.spawn(function, event)
            target = program.calls.function(function, spawn.target) if spawn is not None else None
            pool = _identity(program, function, event.receiver.place)
            if target is not None and pool is not None:
                yield _Submission(pool, function, index, target)


def _identity(program: Program, function: FunctionFacts, place: Place | None) -> tuple[str, Place] | None:
    """A pool that outlives the call: a field, known by the class that makes it, or a variable of the module."""
    if place is None:
        return None
    if place.root == SELF:
        if function.owner is None or len(place.attributes) != 1:
            return None
        bases = program.hierarchy.linear(function.owner)
        makers = [str(item) for item in bases if program.kinds.declares(item, place.attributes[0])]
        return (makers[-1], place) if makers else None
    local = place.root in function.bound or place.root in function.parameters
    return None if local else (function.module.path, place)


def _pool(program: Program, function: FunctionFacts, value: Value) -> tuple[str, Place] | None:
    """The pool that a submitted future belongs to."""
    if value.shape is not Shape.CALL or value.name != "submit" or value.place is None:
        return None
    return _identity(program, function, Place(value.place.root, value.place.attributes[:-1]))


def _made(function: FunctionFacts, receiver: Value) -> Iterator[Value]:
    if receiver.shape is Shape.CALL:
        yield receiver
    elif receiver.place is not None and not receiver.place.attributes:
        for event in function.events:
            if isinstance(event, Bind) and event.name == receiver.place.root and not event.is_of_loop:
                yield from event.values


def _submitted_to(program: Program, function: FunctionFacts, index: int) -> set[tuple[str, Place] | None]:
    """The pool whose futures a loop goes over: the only one to which other loops gave work before."""
    wait = function.events[index]
    given = [event for event in function.events[:index] if isinstance(event, Call) and event.method == "submit"]
    if not isinstance(wait, Call) or not wait.loop or not all(call.loop for call in given):
        return set()
    pools = {_identity(program, function, call.receiver.place) for call in given if call.receiver is not None}
    return pools if len(pools) == 1 else set()


def _reached(program: Program, function: FunctionFacts, depth: int) -> Iterator[FunctionFacts]:
    """The work itself, and what it calls."""
    yield function
    for event in function.events if depth else ():
        if isinstance(event, Call) and program.calls.spawn(function, event) is None:
            target = program.calls.target(function, event)
            if target is not None and target is not function:
                yield from _reached(program, target, depth - 1)
