"""The event loop keeps only a weak reference to a task.

A task that nothing else refers to may be collected in the middle of its work, at any await: it stops there, and no
error is raised. Whether that happens hangs on when the collector runs, so the work is lost on some runs only. What
the task raises reaches nobody; at best it is logged. While a task sleeps, the timer of the loop holds it: of one
that waits for nothing else, only what it raises is lost, and its work where the loop ends first.

Keep the task for as long as it runs: await it, start it in a task group, or put it into a set and discard it from
there in a done callback.
"""

from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.awaiting.handed_out import hands_out_task
from racehound.analysis.awaiting.kept_by_loop import sleeps_for_ever, waits_for_the_clock
from racehound.analysis.awaiting.lost_tasks import CALLERS_OF_CALLBACKS, loss, next_of, uses
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.files.file_names import binds
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Bind, Call, Exit, Pause, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts


class UnreferencedTask(Rule):
    meta = RuleMeta(
        code="RH305",
        name="unreferenced-task",
        summary="Nothing keeps a reference to the task that `{spawner}` starts in `{function}`",
        severity=Severity.ERROR,
        race_type="Fire-and-Forget Task",
        impact="Lost work: the task may be collected before it is done, and what it raises reaches nobody.",
        since="0.1.0",
        tags=frozenset({"asyncio", "orphan-tasks"}),
    )
    bad = (
        Bad(
            """
            import asyncio

            async def handle(request):
                asyncio.create_task(audit(request))  # RH
                return "accepted"
            """,
            fixed="""
            import asyncio

            # Tasks at work: the event loop itself holds them by weak references only.
            _tasks = set()


            async def handle(request):
                task = asyncio.create_task(audit(request))
                _tasks.add(task)
                task.add_done_callback(_tasks.discard)
                return "accepted"
            """,
        ),
        Bad("""
            import asyncio

            class Mailer:
                def _background(self, work):
                    return asyncio.get_running_loop().create_task(work)

                async def send(self, letter):
                    self._background(self._deliver(letter))  # RH

                async def _deliver(self, letter):
                    await asyncio.sleep(1)
            """),
    )
    good = (
        Good("""
            import asyncio

            TASKS = set()

            async def handle(request):
                task = asyncio.create_task(audit(request))
                TASKS.add(task)
                task.add_done_callback(TASKS.discard)
                return "accepted"
            """),
        Good("""
            import asyncio

            async def handle(requests):
                async with asyncio.TaskGroup() as group:
                    for request in requests:
                        group.create_task(audit(request))
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            if "async" in module.text:
                for function in module.functions:
                    yield from self._function(program, function)

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for index, event in enumerate(function.events) if Call in function.holds else ():
            if type(event) is not Call:
                continue
            if _leaves_task(program, function, index, event):
                confidence = loss(program.kinds, function, index)
                if confidence is TaskDoubt.HELD_WHILE_WAITING.possible and _raises(program, function, event):
                    confidence = TaskDoubt.MAY_FAIL.likely
                if confidence is not None:
                    yield self._accuse(program, function, event, confidence)
            elif event.method in CALLERS_OF_CALLBACKS and _leaves_starting_to(event):
                yield self._accuse(program, function, event, TaskDoubt.LEFT_TO_CALLBACK.likely)

    def _accuse(self, program: Program, function: FunctionFacts, call: Call, confidence: Sureness) -> Finding:
        spawner = str(call.callee) if call.callee is not None else call.method
        first = Step(
            function=function,
            span=call.span,
            action="starts a task with",
            target=spawner,
            context=program.tasks.describe(function),
        )
        suspended = _suspension(program, function, call)
        second = suspended or replace(
            first,
            action="lets the collector take",
            target="the task",
            context="whichever thread happens to run it",
        )
        is_kept = suspended is not None and waits_for_the_clock(program, suspended.function)
        if is_kept and suspended is not None and sleeps_for_ever(suspended.function):
            confidence = TaskDoubt.KEPT_BY_CLOCK.possible
        elif is_kept and confidence.is_certain:
            confidence = TaskDoubt.KEPT_BY_CLOCK.likely
        if confidence is TaskDoubt.UNTIL_RETURN.likely and is_in_a_test(program.hierarchy, function):
            confidence = TaskDoubt.OF_TEST.possible
        incident = Incident(
            first=first,
            second=second,
            trigger=_slept(function, second.function) if is_kept else _collected(function, suspended),
            confidence=confidence,
            impact=_LOST_ERROR if is_kept else "",
        )
        return report(self, incident, spawner=spawner, function=function.name)


_LOST_ERROR = "Lost error: what the task raises reaches nobody, and its work ends with the loop."
_STARTERS = frozenset({"create_task", "ensure_future"})


def _leaves_starting_to(call: Call) -> bool:
    """True for `loop.call_soon_threadsafe(loop.create_task, work())`."""
    places = [value.place for value in call.arguments[:2] if value.place is not None]
    return any((place.attributes or (place.root,))[-1] in _STARTERS for place in places)


def _raises(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True if the coroutine that runs in the task has a `raise` of its own: nobody will hear of it."""
    started = program.coroutines.started_within(function, call.span)
    return any(
        isinstance(event, Exit) and event.kind == "raise" for start in started for event in start.target.events
    )


def _leaves_task(program: Program, function: FunctionFacts, index: int, call: Call) -> bool:
    """True if a call starts a task, or is answered with one that was started for it."""
    if _may_start(call) and _starts_task(program, function, call):
        return True
    target = program.calls.target(function, call) if index in function.discarded else None
    return target is not None and not target.is_async and hands_out_task(program, target)


def _may_start(call: Call) -> bool:
    if call.method in {"create_task", "ensure_future", "gather"}:
        return True
    return bool(call.arguments) and call.arguments[0].shape is Shape.CALL and call.callee is not None


def _starts_task(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True if the result of a call is all that refers to a new task."""
    target = program.calls.target(function, call)
    if target is not None:
        return program.coroutines.is_wrapper(target) and not target.is_async and _returns_task(program, target)
    kind = program.coroutines.kind_of_start(function, call)
    return kind == "task" or (kind == "gather" and call.method == "gather" and _gathers(program, function, call))


def _gathers(program: Program, function: FunctionFacts, call: Call) -> bool:
    """False for calls of plain functions, and where no coroutine is near: code made for two worlds.

    Tasks that others hold already hold the one that gathers them.
    """
    if not any(item.is_async for item in function.module.functions):
        return False
    if call.arguments and all(_are_held(function, value) for value in call.arguments):
        return False
    made = [value for value in call.arguments if value.shape is Shape.CALL and value.place is not None]
    targets = [program.kinds.callee(function, value.place) for value in made if value.place is not None]
    plain = [isinstance(item, FunctionFacts) and not item.is_async for item in targets]
    return not (plain and all(plain))


def _are_held(function: FunctionFacts, value: Value) -> bool:
    """True for `*asyncio.all_tasks()` and `*self._tasks`, also by way of a local variable."""
    if value.name == "*":
        return any(_are_held(function, item) for item in value.arguments)
    if value.shape is Shape.CALL:
        return value.name == "all_tasks"
    if value.shape is not Shape.PLACE or value.place is None:
        return False
    if value.place.root == SELF:
        return True
    given = [item for event in binds(function, value.place.root) for item in event.values]
    return bool(given) and all(item.place != value.place and _are_held(function, item) for item in given)


def _returns_task(program: Program, wrapper: FunctionFacts) -> bool:
    """True if a wrapper hands the task back and keeps nothing of it, nor does the one that it leaves this to."""
    for index, event in enumerate(wrapper.events):
        if isinstance(event, Call) and program.coroutines.kind_of_start(wrapper, event) == "task":
            inner = program.calls.target(wrapper, event)
            if inner is not None and _keeps_task(program, inner):
                return False
            following = next_of(wrapper, index)
            if isinstance(following, Bind):
                return uses(wrapper, following.name) > 0 and not _is_given_away(wrapper, following.name)
            return index not in wrapper.discarded and following is None and not _is_stored(wrapper, index)
    return False


def _keeps_task(program: Program, starter: FunctionFacts) -> bool:
    """True if a function puts the task that it starts somewhere."""
    for index, event in enumerate(starter.events):
        if isinstance(event, Call) and program.coroutines.kind_of_start(starter, event) == "task":
            following = next_of(starter, index)
            if _is_stored(starter, index):
                return True
            if isinstance(following, Bind) and _is_given_away(starter, following.name):
                return True
    return False


def _is_stored(function: FunctionFacts, index: int) -> bool:
    return any(isinstance(event, Touch) for event in function.events[index + 1 : index + 2])


def _is_given_away(function: FunctionFacts, name: str) -> bool:
    """True if a local variable is stored, or passed to somebody who may store it."""
    return any(
        (isinstance(event, Call) and any(value.place == Place(name) for value in event.arguments))
        or (isinstance(event, Touch) and any(value.place == Place(name) for value in event.values))
        for event in function.events
    )


def _suspension(program: Program, function: FunctionFacts, call: Call) -> Step | None:
    """The first await of the coroutine, where it can be seen which one runs."""
    for start in program.coroutines.started_within(function, call.span):
        pause = next((event for event in start.target.events if isinstance(event, Pause)), None)
        if pause is not None:
            return Step(
                function=start.target,
                span=pause.span,
                action="is suspended at",
                target="an await",
                context=f"the task started at {function.module.path}:{call.span.line}",
            )
    return None


def _collected(function: FunctionFacts, suspended: Step | None) -> str:
    where = "" if suspended is None else f" in `{suspended.function.name}`"
    return (
        f"`{function.name}` goes on or returns, and nothing refers to the task any more; the collector runs "
        f"while the task waits{where}, and removes it with its work undone."
    )


def _slept(function: FunctionFacts, work: FunctionFacts) -> str:
    return (
        f"`{function.name}` goes on or returns, and nothing refers to the task any more: if `{work.name}` raises "
        "after its sleep, nobody is told; if the loop ends during it, the rest is never done."
    )
