"""The finding that RH310 and RH311 share: one coroutine stops the loop that all of them run on."""

import re
from collections.abc import Iterator, Sequence

from racehound.analysis.awaiting.tasks import RUN
from racehound.analysis.event_loops.blocking import Blocker
from racehound.analysis.flow.branches import fork_at
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Call, Event, Flow, Pause, Place
from racehound.source.facts import FunctionFacts

_STARTERS = ("create_task", "ensure_future", "gather", "TaskGroup", "start_soon", "start_server")


def held_up(rule: Rule, program: Program, *, primitives: bool) -> Iterator[Finding]:
    """One finding per blocking call, at the line of the first coroutine that makes it."""
    seen: set[int] = set()
    for function in _coroutines(program):
        for call, blocker in _blockers(program, function):
            if blocker.is_primitive is primitives and id(blocker.call) not in seen:
                seen.add(id(blocker.call))
                yield _accuse(rule, program, function, call, blocker)


def _coroutines(program: Program) -> list[FunctionFacts]:
    """Those of tests last: a call that a test comes to as well is that of the program."""
    found = [item for module in program.modules for item in module.functions if item.is_async]
    return sorted(found, key=lambda item: is_in_a_test(program.hierarchy, item))


def _blockers(program: Program, function: FunctionFacts) -> Iterator[tuple[Call, Blocker]]:
    direct = {id(blocker.call): blocker for blocker in program.blocking.direct(function)}
    for event in function.events:
        if not isinstance(event, Call):
            continue
        if id(event) in direct:
            yield event, direct[id(event)]
        elif program.calls.spawn(function, event) is None:
            found = program.blocking.below(function, event)
            if found is not None:
                yield event, found


def _accuse(rule: Rule, program: Program, function: FunctionFacts, call: Call, blocker: Blocker) -> Finding:
    is_own = blocker.function is function
    first = Step(
        function=function,
        span=call.span,
        action=blocker.action if is_own else f"calls `{call.method}`, which {blocker.action}",
        target=blocker.what,
        context=program.tasks.describe(function),
    )
    second = Step(
        function=blocker.function,
        span=blocker.call.span,
        action="holds up" if is_own else blocker.action,
        target="the other tasks of the loop" if is_own else blocker.what,
        context="the thread of the event loop",
    )
    incident = Incident(
        first=first,
        second=second,
        trigger=(
            f"While `{blocker.function.name}` {blocker.action} `{blocker.what}`, the thread of the event loop "
            "stands still: every other task, timer and connection waits with it."
        ),
        confidence=_confidence(program, function, call, blocker),
        remedy=_remedy(function, is_primitive=blocker.is_primitive),
    )
    through = "" if is_own else f" through `{call.method}`"
    return report(
        rule, incident, function=function.name, what=blocker.what, action=blocker.action, through=through
    )


def _remedy(function: FunctionFacts, *, is_primitive: bool) -> str:
    """In the words of the library that runs the loop, where that is not asyncio."""
    known = {origin.partition(".")[0] for origin in function.module.imports.values()}
    library = next((name for name in ("trio", "anyio") if name in known and "asyncio" not in known), None)
    if library is None:
        return ""
    in_thread = f"`{library}.to_thread.run_sync`"
    if not is_primitive:
        return (
            f"Use the awaitable form (`{library}.sleep`, `{library}.run_process`, an asynchronous client), or "
            f"hand the call to a thread with {in_thread}."
        )
    return (
        f"Use the primitives of `{library}` between tasks. Towards threads, wait in a thread with {in_thread}, or "
        f"have the thread signal the loop with `{library}.from_thread.run_sync`."
    )


def _confidence(program: Program, function: FunctionFacts, call: Call, blocker: Blocker) -> Sureness:
    if function.owner is not None and _SYNCHRONOUS.search(function.owner.name):
        return TaskDoubt.WITHOUT_LOOP.possible
    if _is_before_others(program, function, call):
        return TaskDoubt.BEFORE_OTHERS.possible
    if _is_alone(program, function):
        return TaskDoubt.ALONE_ON_LOOP.possible
    if is_in_a_test(program.hierarchy, function):
        return TaskDoubt.OF_TEST.possible
    doubt = TaskDoubt.LET_BE if _is_let_be(function, call) else _doubt_of_wait(blocker)
    if doubt is None and _has_looked_before(program, function, call, blocker):
        doubt = TaskDoubt.LOOKED_BEFORE
    if doubt is None and blocker.function is not function and _is_told_not_to_wait(call):
        doubt = TaskDoubt.TOLD_NOT_TO_WAIT
    if doubt is not None:
        return doubt.possible
    return CERTAIN if blocker.function is function else TaskDoubt.THROUGH_HELPER.likely


_WAITING = frozenset({"block", "blocking", "wait"})


def _is_told_not_to_wait(call: Call) -> bool:
    """True for `self._poll(blocking=False)`: by this the helper knows which way to go."""
    return any(name in _WAITING and value.name == "False" for name, value in call.keywords)


def _doubt_of_wait(blocker: Blocker) -> TaskDoubt | None:
    if blocker.call.method in {"join", "acquire"}:
        return TaskDoubt.SHORT
    if _is_the_other_way(blocker):
        return TaskDoubt.OTHER_BRANCH
    if _has_looked(blocker):
        return TaskDoubt.LOOKED_BEFORE
    if _is_a_moment(blocker):
        return TaskDoubt.MOMENT
    return TaskDoubt.OWN_START if _waits_for_its_start(blocker) else None


_SYNCHRONOUS = re.compile(r"Blocking(?!Queue)|(?<!A)Sync(?!hron)")


_LET_BE = re.compile(r"#\s*noqa:[^#]*\bASYNC2\d\d")


def _is_let_be(function: FunctionFacts, call: Call) -> bool:
    """True if a remark for the linter that knows the same fault says that it is meant."""
    return _LET_BE.search(function.module.line(call.span.end_line)) is not None


def _has_looked(blocker: Blocker) -> bool:
    """True for `while not jobs.empty(): job = jobs.get()`, with no wait between the two."""
    place = blocker.call.receiver.place if blocker.call.receiver is not None else None
    for event in reversed(blocker.function.events[: blocker.function.events.index(blocker.call)]):
        if isinstance(event, Pause):
            return False
        if isinstance(event, Call) and event.method in {"empty", "qsize"} and event.receiver is not None:
            return event.receiver.place == place
    return False


def _has_looked_before(program: Program, function: FunctionFacts, call: Call, blocker: Blocker) -> bool:
    """True for `while jobs.empty(): await more()` and then the call of what takes one, with no wait in between."""
    place = blocker.call.receiver.place if blocker.call.receiver is not None else None
    at = next(index for index, event in enumerate(function.events) if event is call)
    paths = program.awaits.paths(function)
    looks = (
        index for index, event in function.calls_of("empty") if event.receiver and event.receiver.place == place
    )
    ends = [end for index in looks if (end := paths.loop_end(index)) is not None and end <= at]
    return bool(ends) and not any(max(ends) <= pause < at for pause in paths.pauses)


def _is_a_moment(blocker: Blocker) -> bool:
    """True for `time.sleep(0)` and `time.sleep(0.001)`: others wait longer for any other coroutine."""
    return blocker.call.method == "sleep" and any(item.name in {"0", "moment"} for item in blocker.call.arguments)


def _waits_for_its_start(blocker: Blocker) -> bool:
    """True for `thread.start()` and then `begun.wait()`, where the function itself has made the event."""
    events, place = blocker.function.events, blocker.call.receiver.place if blocker.call.receiver else None
    at = next(index for index, event in enumerate(events) if event is blocker.call)
    before = [event for event in events[:at] if isinstance(event, Call)]
    if blocker.call.method != "wait" or not before or before[-1].method != "start":
        return False
    return any(
        place in {getattr(event, "place", None), Place(getattr(event, "name", ""))}
        and any(value.name == "Event" for value in getattr(event, "values", ()))
        for event in events[:at]
    )


def _is_the_other_way(blocker: Blocker) -> bool:
    """True for `time.sleep(1)` in the alternative to a branch that does the same by an await."""
    events = blocker.function.events
    at = next(index for index, event in enumerate(events) if event is blocker.call)
    for start, event in enumerate(events[:at]):
        if event is not Flow.FORK or events[start + 1] is Flow.LOOP:
            continue
        branches = fork_at(events, start).branches
        ours = [branch for branch in branches if branch[0] <= at < branch[1]]
        others = [branch for branch in branches if branch not in ours]
        if ours and any(_awaits(events[begin:end], blocker.call.method) for begin, end in others):
            return True
    return False


def _awaits(events: Sequence[Event], method: str) -> bool:
    calls = any(isinstance(event, Call) and event.method == method for event in events)
    return calls and any(isinstance(event, Pause) for event in events)


def _is_command(path: str) -> bool:
    """True for a module of a command line, which runs one coroutine to its end."""
    *directories, name = path.replace("\\", "/").split("/")
    return "cli" in directories or name in {"cli.py", "__main__.py"}


def _is_before_others(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True in the coroutine that a loop is run for, before it waits for anything or starts another one."""
    contexts = program.tasks.of(function)
    if not contexts or any(context.what != RUN for context in contexts):
        return False
    at = next((index for index, event in enumerate(function.events) if event is call), 0)
    reaches = program.awaits.paths(function).reaches
    return not any(
        (isinstance(event, Pause) or (isinstance(event, Call) and event.method in _BEGIN)) and reaches(index, at)
        for index, event in enumerate(function.events[:at])
    )


_BEGIN = frozenset({"create_task", "ensure_future", "start_soon", "call_later", "call_soon", "call_at"})


def _is_alone(program: Program, function: FunctionFacts) -> bool:
    """True for the one coroutine of a loop, or of a command, in whose module nothing starts a second one."""
    contexts = program.tasks.of(function)
    if not contexts and not _is_command(function.module.path):
        return False
    if any(context.what != RUN for context in contexts):
        return False
    return not any(word in function.module.text for word in _STARTERS)
