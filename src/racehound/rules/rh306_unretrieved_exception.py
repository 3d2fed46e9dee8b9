"""Work is handed over, and nobody ever asks how it ended.

An exception in a pool thread or in a task is kept in its future, and shows only where somebody takes the result.
If the future is thrown away, a failure looks like success: nothing is raised, and from a thread pool nothing is
even logged. `asyncio.wait` does not raise either; it returns the tasks, done and failed alike.

Keep the future and take its result, or give it a done callback that looks at `exception()`; await tasks with
`gather` or in a task group.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.awaiting.local_outcomes import is_never_asked, is_only_asked_for_its_end
from racehound.analysis.awaiting.lost_tasks import loss
from racehound.analysis.awaiting.skipped import is_final
from racehound.analysis.awaiting.unasked import Unasked, Unheard
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.asked_tasks import additions, is_handed_on
from racehound.rules.awaiting.forgotten_outcomes import (
    HANDING_OVER,
    LAZY,
    collected_work,
    decorated_work,
    is_fed,
    unasked,
    unread_outcomes,
    waits_for_futures,
    work_of_pool,
)
from racehound.rules.awaiting.unread_waits import is_unread_wait
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.attempts import Caught
from racehound.source.events import OTHER, SELF, Call, Flow, Pause, Shape, Value
from racehound.source.expressions import MUTATORS
from racehound.source.facts import FunctionFacts

_EVERYTHING = frozenset({"Exception", "BaseException"})
_HARMLESS = MUTATORS - {"remove"} | {
    "put_nowait",
    "get",
    "items",
    "keys",
    "values",
    "set",
    "debug",
    "info",
    "warning",
    "error",
}
"""Methods of containers, events and loggers, which do not fail as they are used."""
_INQUIRIES = frozenset({"result", "exception", "cancel", "gather"})
_STARTERS = frozenset({"create_task", "ensure_future"})
"""Of a task that nobody holds, RH305 speaks."""


class UnretrievedException(Rule):
    meta = RuleMeta(
        code="RH306",
        name="unretrieved-exception",
        summary="What {work} raises is never seen: {why}",
        severity=Severity.WARNING,
        race_type="Unretrieved Exception",
        impact="Lost error: the work fails without a trace, and the program goes on as if it were done.",
        since="0.1.0",
        tags=frozenset({"asyncio", "threads", "orphan-tasks"}),
    )
    bad = (
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            POOL = ThreadPoolExecutor()

            def store(order):
                validate(order)
                write(order)

            def accept(order):
                POOL.submit(store, order)  # RH
            """),
        Bad(
            """
            import asyncio

            async def refresh(feeds):
                tasks = [asyncio.create_task(feed.load()) for feed in feeds]
                await asyncio.wait(tasks)  # RH
            """,
            is_possible=True,
        ),
    )
    good = (
        Good("""
            from concurrent.futures import ThreadPoolExecutor

            POOL = ThreadPoolExecutor()

            def store(order):
                try:
                    validate(order)
                    write(order)
                except Exception:
                    report(order)

            def accept(order):
                POOL.submit(store, order)
            """),
        Good("""
            import asyncio

            async def refresh(feeds):
                tasks = [asyncio.create_task(feed.load()) for feed in feeds]
                done, _ = await asyncio.wait(tasks)
                return [task.result() for task in done]
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                for index in sorted({*function.discarded, *unread_outcomes(function)}):
                    yield from self._discarded(program, function, index)
                yield from self._collected(program, function)
                for at, call in function.calls_of("wait") if function.is_async else ():
                    if is_unread_wait(program, function, at, call):
                        yield self._accuse(program, function, call, None)
        unheard = Unheard(program)
        for owner in program.hierarchy.classes:
            if any(
                method.is_async for item in program.hierarchy.linear(owner) for method in item.methods.values()
            ):
                yield from self._kept(program, unheard.of(owner))
        for module in program.modules:
            yield from self._kept(program, unheard.of_module(module))

    def _discarded(self, program: Program, function: FunctionFacts, index: int) -> Iterator[Finding]:
        event = function.events[index]
        if isinstance(event, Call) and event.method in HANDING_OVER:
            target = _work(program, function, index, event)
            if target is not None and not _is_handled(program, target):
                yield self._accuse(program, function, event, target)
        elif isinstance(event, Call) and waits_for_futures(program, function, event):
            yield self._accuse(program, function, event, None)
        elif isinstance(event, Pause) and index:
            call = function.events[index - 1]
            if isinstance(call, Call) and (
                _is_bare_wait(program, function, call) or _is_bare_gather(program, function, call)
            ):
                yield self._accuse(program, function, call, None)

    def _collected(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for target, index, call in collected_work(program, function):
            forgotten = is_never_asked(function, index) or is_only_asked_for_its_end(function, index)
            is_lost = call.method in _STARTERS and loss(program.kinds, function, index) is not None
            if forgotten and not is_lost and not _is_handled(program, target):
                yield self._accuse(program, function, call, target)

    def _kept(self, program: Program, tasks: Iterator[Unasked]) -> Iterator[Finding]:
        raising = (task for task in tasks if not _is_handled(program, task.target))
        return once(self._unasked(program, task) for task in raising)

    def _unasked(self, program: Program, task: Unasked) -> Finding:
        why = f"`{task.ender.name}` only cancels the task that `{task.function.name}` keeps in `{task.place}`"
        return report(self, unasked(program, task), work=f"`{task.target.name}`", why=why)

    def _accuse(
        self, program: Program, function: FunctionFacts, call: Call, target: FunctionFacts | None
    ) -> Finding:
        name = str(call.callee) if call.callee is not None else call.method
        first = Step(
            function=function,
            span=call.span,
            action="throws away the outcome of",
            target=name,
            context=program.tasks.describe(function),
        )
        raising = target or _only_work(program, function, call)
        work = f"`{raising.name}`" if raising is not None else "one of the tasks"
        how = (
            f"raises after `{function.name}` has let go of the future"
            if target is not None
            else f"raises, and `{function.name}`, which waits for its end, does not look how it ended"
        )
        incident = Incident(
            first=first,
            second=replace(_raised(function, call, raising), is_raced=target is not None),
            trigger=f"{work[0].upper()}{work[1:]} {how}: nobody is told.",
            confidence=_confidence(program, function, call, target),
        )
        return report(self, incident, work=work, why=f"`{function.name}` throws away the outcome of `{name}`")


def _only_work(program: Program, function: FunctionFacts, call: Call) -> FunctionFacts | None:
    """The coroutine whose ends a call waits for, where the function starts no other."""
    given = [
        part.place for value in call.arguments for part in (value, *value.arguments) if part.place is not None
    ]
    if any(place.attributes or place.root in function.parameters for place in given):
        return None
    targets = {start.target for start in program.coroutines.starts(function)}
    return targets.pop() if len(targets) == 1 else None


def _raised(function: FunctionFacts, call: Call, work: FunctionFacts | None) -> Step:
    where = work or function
    return Step(
        function=where,
        span=call.span if work is None else work.span._replace(end_line=work.span.line),
        action="may raise in" if work is not None else "waits for an error in",
        target=work.name if work is not None else call.method,
        context=f"the work started at {function.module.path}:{call.span.line}"
        if work is not None
        else "one of the tasks that it waits for",
    )


def _confidence(program: Program, function: FunctionFacts, call: Call, target: FunctionFacts | None) -> Sureness:
    """A coroutine that only passes something on seldom fails; one that loops dies without a word."""
    if call.method == "run_coroutine_threadsafe" and target is not None and Flow.LOOP not in target.events:
        return TaskDoubt.PASSES_ON.possible
    if target is None and not _is_made_here(program, function, call):
        return TaskDoubt.STARTED_ELSEWHERE.possible
    if is_in_a_test(program.hierarchy, function):
        return TaskDoubt.TOLD_BY_TEST.possible
    if target is not None and _runs_what_was_given(target):
        return TaskDoubt.RUNS_WHAT_WAS_GIVEN.possible
    if target is not None and TEARDOWN.match(function.name):
        return TaskDoubt.AT_THE_END.possible
    return TaskDoubt.MAY_FAIL.likely


def _is_made_here(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True if the function makes the coroutines that it gathers."""
    if any(True for _ in program.coroutines.starts(function)) or function.calls_of("submit"):
        return True
    inside = (event for event in function.events if isinstance(event, Call) and event is not call)
    return any(
        call.span.line <= event.span.line <= call.span.end_line and event.method not in _COLLECTING | _NUMBERS
        for event in inside
    )


def _runs_what_was_given(target: FunctionFacts) -> bool:
    """True for a wrapper around a function that a caller gave, who may have one that catches everything."""
    given = target.parent.parameters if target.parent is not None else ()
    for event in target.events:
        if isinstance(event, Call):
            places = [event.callee, *(value.place for value in event.arguments)]
            if any(place is not None and place.root in given and not place.attributes for place in places):
                return True
    return False


def _work(program: Program, function: FunctionFacts, index: int, call: Call) -> FunctionFacts | None:
    """The function of the program that runs, where it can be seen."""
    if call.method in LAZY:
        return work_of_pool(program, function, call)
    if call.method == "submit":
        spawn = program.calls.spawn(function, call)
        own = program.calls.target(function, call)
        if own is not None:
            return None  # a `submit` of the program itself, which may give back anything
        if spawn is None or _is_of_another_kind(program, function, call):
            return None
        return program.calls.function(function, spawn.target) or decorated_work(program, function, spawn.target)
    for start in program.coroutines.starts(function):
        if start.at < index and call.span.line <= start.call.span.line <= call.span.end_line:
            return start.target
    return None


def _is_of_another_kind(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True if nobody knows whose `submit` it is, and the program has one of its own that gives back no future."""
    if call.receiver is None or program.kinds.value(function, call.receiver):
        return False
    own = [item.methods["submit"] for item in program.hierarchy.classes if "submit" in item.methods]
    return bool(own) and not any(
        isinstance(event, Call) and event.method == "submit" for item in own for event in item.events
    )


def _is_handled(program: Program, function: FunctionFacts) -> bool:
    """True if the work, or the one function that it passes everything on to, catches all errors."""
    if _is_guarded(function):
        return True
    calls = [event for event in function.events if isinstance(event, Call)]
    inner = program.calls.target(function, calls[0]) if len(calls) == 1 else None
    return inner is not None and _is_guarded(inner)


def _is_guarded(function: FunctionFacts) -> bool:
    """True if the work catches all errors somewhere, or reckons with that of each step which could raise one.

    A coroutine that goes on and on ends with the one that it does not expect.
    """
    for attempt in function.attempts:
        if any(not caught.names or _EVERYTHING & set(caught.names) for caught in attempt.handlers):
            return True
    return not is_fed(function) and all(
        _is_harmless(event) or (not function.is_async and _is_expected(function, index))
        for index, event in _calls(function)
    )


def _calls(function: FunctionFacts) -> Iterator[tuple[int, Call]]:
    return ((index, event) for index, event in enumerate(function.events) if isinstance(event, Call))


def _is_harmless(call: Call) -> bool:
    if call.receiver is None:
        return call.method in {"print", "sleep"}
    return call.method == "sleep" or call.method in _HARMLESS


def _is_expected(function: FunctionFacts, at: int) -> bool:
    """True in a `try` that deals with an error, and in the handler that does; a cancellation is no error."""
    for attempt in function.attempts:
        dealing = [caught for caught in attempt.handlers if _deals(caught)]
        inside = attempt.begin <= at < attempt.end
        if dealing and (inside or any(caught.events[0] <= at < caught.events[1] for caught in dealing)):
            return True
    return False


def _deals(caught: Caught) -> bool:
    return not caught.passes_on and not set(caught.names) <= {"CancelledError"}


def _is_bare_wait(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True for `await asyncio.wait(tasks)` after which nobody asks the tasks how they ended."""
    name = program.kinds.callee(function, call.callee) if call.callee is not None else None
    if name != "asyncio.wait" or call.method != "wait" or not call.arguments:
        return False
    asked = any(isinstance(event, Call) and event.method in _INQUIRIES for event in function.events)
    given = call.arguments[0].place
    if asked or given is None or given.attributes or given.root in function.parameters:
        return False
    if call.arguments[0].shape is Shape.CALL and _is_started_elsewhere(function, call):
        return False
    if function.loads.get(given.root, 0) > 1 + additions(function, given.root):
        return False
    return not is_handed_on(function, call)


def _is_bare_gather(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True for `await asyncio.gather(..., return_exceptions=True)` of work that is not at its end."""
    name = program.kinds.callee(function, call.callee) if call.callee is not None else None
    if name != "asyncio.gather" or dict(call.keywords).get("return_exceptions", OTHER).name != "True":
        return False
    ended = any(isinstance(event, Call) and event.method in _INQUIRIES - {"gather"} for event in function.events)
    if ended or TEARDOWN.match(outer_method(function).name) or _only_ends(function, call):
        return False
    made = [start.target for start in program.coroutines.starts(function)]
    if _is_started_elsewhere(function, call) or (made and all(_is_handled(program, item) for item in made)):
        return False
    at = function.events.index(call)
    return not is_final(function, at) and not _is_for_a_failure(function, at)


def _is_for_a_failure(function: FunctionFacts, at: int) -> bool:
    """True where something has failed before, which is what will be told."""
    handlers = (caught.events for attempt in function.attempts for caught in attempt.handlers)
    return any(begin <= at < end for begin, end in handlers) or _FAILED.search(function.name) is not None


_FAILED = re.compile(r"(?<![a-z])(fail(ed|ure)?|abort(ed)?|error)(?![a-z])")


def _is_started_elsewhere(function: FunctionFacts, call: Call) -> bool:
    """True for tasks that the object keeps: this is one who waits, others ask how they ended."""
    kept = bool(call.arguments) and all(map(_is_of_object, call.arguments))
    made = (event for event in function.events[: function.events.index(call)] if isinstance(event, Call))
    return kept or all(event.method in _COLLECTING for event in made)


def _is_of_object(value: Value) -> bool:
    """True for `self._tasks`, and for `list(self._tasks)`, whatever type it is said to have."""
    if value.shape is Shape.CALL and value.name in _COLLECTING | {"cast"} and value.arguments:
        return _is_of_object(value.arguments[-1])
    return value.shape is Shape.PLACE and value.place is not None and value.place.root == SELF


_NUMBERS = frozenset({"abs", "float", "int", "len", "max", "min", "round", "time"})
_COLLECTING = frozenset({"values", "items", "keys", "list", "tuple", "set", "copy", "sorted"})


def _only_ends(function: FunctionFacts, call: Call) -> bool:
    """True for `gather(*[connection.close() for ...])`: whoever closes does not mind what is broken already."""
    inside = [
        event
        for event in function.events
        if isinstance(event, Call)
        and event is not call
        and call.span.line <= event.span.line <= call.span.end_line
        and event.receiver is not None
    ]
    return bool(inside) and all(TEARDOWN.match(event.method.lstrip("a")) for event in inside)
