"""A block closes what a task it started is still using.

The task runs at the awaits of others. When the block ends, its resource is closed, whether the task is done or
not; the task finds a closed session, connection or file. If the task is quicker than the block, all goes well.

It need not be given the resource: as a variable around it, of the module, or a field, it knows it all the same.

A thread that is started in the block and not waited for there does the same with a file or a connection.

A class that sets the field of its task to None when it is closed, and never cancels it, leaves it running too. So
does a coroutine that is cancelled, or a generator that is left, before it comes to the call that ends its work.

Await the task inside the block, or start it in a task group inside the block; cancel and await it in `close`. What
must happen at the end belongs in a `finally` block.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.borrowed import borrows
from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.awaiting.dropped import Dropped, dropped_tasks
from racehound.analysis.awaiting.skipped import Skipped, skipped_exits
from racehound.analysis.program import Program
from racehound.analysis.threads.lending import starts_with_it
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.closing_blocks import Block, closing_blocks
from racehound.rules.awaiting.resource_parts import is_path_below
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Acquire, Bind, Call, Event, Flow, Pause, Place, Shape, Touch
from racehound.source.facts import FunctionFacts

_STARTERS = frozenset({"Thread", "submit", "Timer", "start_new_thread"})
_WAITERS = frozenset({"gather", "wait", "wait_for", "as_completed", "join", "shield"})


class _Manner(NamedTuple):
    """How something that is started has come by the resource."""

    what: str = "task"
    how: str = "with"
    users: str = "with it"
    sureness: Sureness = CERTAIN


_GIVEN = _Manner()


class TaskOutlivesResource(Rule):
    meta = RuleMeta(
        code="RH307",
        name="task-outlives-resource",
        summary="{what}",
        severity=Severity.ERROR,
        race_type="Async Context Manager",
        impact="Use after close: the task fails, or writes to what is no longer there.",
        since="0.1.0",
        tags=frozenset({"asyncio", "orphan-tasks"}),
    )
    bad = (
        Bad(
            """
            import asyncio

            async def report(connect, lines):
                async with connect() as session:
                    task = asyncio.create_task(upload(session, lines))  # RH
                return task
            """,
            fixed="""
            import asyncio

            async def report(connect, lines):
                async with connect() as session:
                    task = asyncio.create_task(upload(session, lines))
                    await task
                return task
            """,
        ),
        Bad("""
            import asyncio

            class Client:
                async def connect(self):
                    self._reader = asyncio.create_task(self._read())

                async def close(self):
                    self._reader = None  # RH
                    await self._socket.close()
            """),
    )
    good = (
        Good("""
            import asyncio

            class Client:
                async def connect(self):
                    self._reader = asyncio.create_task(self._read())

                async def close(self):
                    self._reader.cancel()
                    self._reader = None
                    await self._socket.close()
            """),
        Good("""
            import asyncio

            async def report(connect, lines):
                async with connect() as session:
                    task = asyncio.create_task(upload(session, lines))
                    await session.ping()
                    await task
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            threaded = not _STARTERS.isdisjoint(module.callers)
            for function in module.functions:
                if threaded and Acquire in function.holds:
                    yield from self._threads(program, function)
                if function.is_async:
                    yield from self._function(program, function)
                    for skipped in skipped_exits(program.calls, function):
                        yield self._accuse_skipped(program, skipped)
        for dropped in dropped_tasks(program):
            yield self._accuse_dropped(program, dropped)

    def _accuse_dropped(self, program: Program, dropped: Dropped) -> Finding:
        start, end = dropped.start, dropped.end
        name, target = end.function.name, str(end.touch.place)
        incident = Incident(
            first=Step(
                function=end.function,
                span=end.touch.span,
                action="lets go of",
                target=target,
                context=program.tasks.describe(end.function),
            ),
            second=Step(
                function=start.function,
                span=start.touch.span,
                action="starts",
                target=target,
                context=program.tasks.describe(start.function),
            ),
            trigger=(
                f"`{name}` forgets `{target}` while the task runs; nothing cancels it or waits for it, and it "
                "goes on working with what is closed, or beside the next one."
            ),
            confidence=dropped.sureness,
            fields=end.touch.place.attributes[:1],
        )
        what = (
            f"`{name}` lets go of `{target}` and nothing cancels or awaits it: the task that "
            f"`{start.function.name}` starts may still run"
        )
        return report(self, incident, what=what)

    def _accuse_skipped(self, program: Program, skipped: Skipped) -> Finding:
        function = skipped.function
        pause, call = function.events[skipped.pause], function.events[skipped.exit]
        context = program.tasks.describe(function)
        how = "whoever iterates stops early" if skipped.is_generator else "it is cancelled there"
        name = str(call.callee) if isinstance(call, Call) else function.name
        spans = [event.span for event in (pause, call) if isinstance(event, Pause | Call)]
        incident = Incident(
            first=Step(
                function=function, span=spans[0], action="is suspended at", target="an await", context=context
            ),
            second=Step(
                function=function, span=spans[1], action="ends its work with", target=name, context=context
            ),
            trigger=(
                f"`{function.name}` waits, and {how}: `{name}` is never called, and what it should end goes on."
            ),
            confidence=_sureness_of_skip(skipped, call),
            impact="Leak: what should have been ended goes on, or stays open.",
            remedy=f"Call `{name}` in a `finally` block around the await.",
        )
        return report(self, incident, what=f"`{name}` is skipped when `{function.name}` waits and {how}")

    def _threads(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for block in closing_blocks(function):
            for index in range(block.begin + 1, block.end):
                event = function.events[index]
                if (
                    isinstance(event, Call)
                    and _is_lent(event, block)
                    and program.calls.spawn(function, event) is not None
                    and _is_left_running(function, index, event, block)
                ):
                    yield self._accuse(program, function, event, block, _Manner("thread"))

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        blocks = list(closing_blocks(function))
        for index, event in enumerate(function.events) if blocks else ():
            if isinstance(event, Call) and starts_with_it(program, function, event):
                yield from self._by_helper(program, function, index, blocks)
            if not isinstance(event, Call) or not _may_start(event):
                continue
            if program.coroutines.kind_of_start(function, event) != "task":
                continue
            for block in blocks:
                if not block.begin < index < block.end or _is_awaited(function, index, block):
                    continue
                if _used(function, event, block):
                    yield self._accuse(program, function, event, block)
                    break
                if _is_borrowed(program, function, event, block):
                    yield self._accuse_borrower(program, function, event, block)
                    break

    def _by_helper(
        self, program: Program, function: FunctionFacts, index: int, blocks: list[Block]
    ) -> Iterator[Finding]:
        """A helper starts the task with what it is given, and the block ends without another await."""
        call = function.events[index]
        for block in blocks:
            if not isinstance(call, Call) or not block.begin < index < block.end or not _is_lent(call, block):
                continue
            if not any(isinstance(event, Pause) for event in function.events[index + 1 : block.end]):
                yield self._accuse(program, function, call, block)
                return

    def _accuse_borrower(self, program: Program, function: FunctionFacts, call: Call, block: Block) -> Finding:
        sureness = CERTAIN if block.place is None else TaskDoubt.ENTERED_BY_NAME.likely
        manner = _Manner(how="that uses", users="and that uses it", sureness=sureness)
        return self._accuse(program, function, call, block, manner)

    def _accuse(
        self, program: Program, function: FunctionFacts, call: Call, block: Block, manner: _Manner = _GIVEN
    ) -> Finding:
        what, how, users, sureness = manner
        context = program.tasks.describe(function)
        closes, closed = ("removes", "removed") if block.is_directory else ("closes", "closed")
        first = Step(
            function=function, span=call.span, action=f"starts a {what} {how}", target=block.text, context=context
        )
        incident = Incident(
            first=first,
            second=Step(function=function, span=block.span, action=closes, target=block.text, context=context),
            trigger=(
                f"`{function.name}` reaches the end of the block and {closes} `{block.text}` before the {what} "
                f"is done; when the {what} goes on, it works with what is {closed}."
            ),
            confidence=sureness,
        )
        message = (
            f"`{block.text}` is {closed} while the {what} that `{function.name}` starts {users} may still run"
        )
        return report(self, incident, what=message)


def _sureness_of_skip(skipped: Skipped, call: Event) -> Sureness:
    """A generator that closes its own object at the end spares whoever has it the close, and no more."""
    closes_itself = isinstance(call, Call) and call.callee == Place(SELF, (call.method,))
    is_loop = skipped.is_generator and not skipped.function.is_context_manager
    if is_loop and closes_itself and isinstance(call, Call) and not call.method.startswith("_"):
        return TaskDoubt.CLOSED_BY_OWNER.possible
    return TaskDoubt.CANCELLED_THERE.likely


def _may_start(call: Call) -> bool:
    """A cheap look before anything is resolved: by its name, or since it is given a coroutine."""
    return call.method in {"create_task", "ensure_future"} or (
        bool(call.arguments) and call.arguments[0].shape is Shape.CALL
    )


def _used(function: FunctionFacts, starter: Call, block: Block) -> bool:
    """True if the coroutine of the task is a method of the resource, or gets it as an argument."""
    for event in function.events[block.begin : block.end]:
        if isinstance(event, Call) and is_inside(event.span, starter.span) and event is not starter:
            given = (*event.arguments, *(value for _, value in event.keywords))
            places = [value.place for value in given]
            if any(place is not None and place.root in block.names for place in (*places, event.callee)):
                return True
            if block.is_directory and any(is_path_below(value, block.names) for value in given):
                return True
    return False


def _is_borrowed(program: Program, function: FunctionFacts, starter: Call, block: Block) -> bool:
    """True if the coroutine of the task knows the resource by itself, and works with it."""
    entered = function.events[block.begin]
    if isinstance(entered, Acquire) and program.locksets.taken(function, entered.value):
        return False
    return any(
        borrows(program.calls, function, start.target, block.names, block.place)
        for start in program.coroutines.starts(function)
        if is_inside(start.call.span, starter.span)
    )


def _is_lent(starter: Call, block: Block) -> bool:
    """True if the thread gets the resource, or runs a method of it."""
    given = (*starter.arguments, *(value for _, value in starter.keywords))
    parts = (part for value in given for part in (value, *value.arguments))
    return any(part.place is not None and part.place.root in block.names for part in parts)


def _is_left_running(function: FunctionFacts, index: int, starter: Call, block: Block) -> bool:
    """True if the block starts the thread and comes to its end without waiting for anything."""
    if any(isinstance(event, Acquire) for event in function.events[block.begin + 1 : index]):
        return False  # a pool that is entered inside waits at its own end
    rest = [event for event in function.events[index + 1 : block.end] if isinstance(event, Call)]
    waits = any(call.method in _WAITERS | _RESULTS for call in rest)
    started = starter.method == "submit" or any(call.method == "start" for call in rest)
    return (
        started and not waits and not any(isinstance(event, Pause) for event in function.events[index : block.end])
    )


_RESULTS = frozenset({"result", "shutdown", "is_alive", "get", "acquire", "communicate", "serve_forever", "sleep"})


def _is_awaited(function: FunctionFacts, index: int, block: Block) -> bool:
    """True if the block waits for the task, or hands it to somebody who may."""
    following = function.events[index + 1]
    if isinstance(following, Call) and _is_collected(function, following):
        return any(isinstance(event, Pause) for event in function.events[index + 1 : block.end])
    if isinstance(following, Pause | Call):
        return True
    kept = _kept_in(following)
    rest = function.events[index + 1 : block.end]
    awaited = [event.value for event in rest if isinstance(event, Pause)]
    if following is Flow.LOOP and any(value.shape is Shape.PLACE for value in awaited):
        return True  # one of the tasks that a comprehension has made
    if any((value.place is not None and value.place == kept) or value.name in _WAITERS for value in awaited):
        return True
    getting = [event for event in rest if isinstance(event, Call) and _stops(event, kept)]
    if getting and all(_is_collected(function, call) for call in getting):
        return len(awaited) > 0
    return bool(getting)


def _is_collected(function: FunctionFacts, call: Call) -> bool:
    """True for `tasks.append(...)` with a list that is asked for the tasks behind the block alone."""
    place = call.receiver.place if call.receiver is not None else None
    if call.method not in {"append", "add"} or place is None:
        return False
    if place.attributes or (place.root in function.parameters and _LISTS.search(place.root)):
        return True  # whoever waits for them later, does so behind the block
    values = function.bindings.get(place.root, ())
    return bool(values) and all(value.shape is Shape.CONTAINER or value.name in _COLLECTIONS for value in values)


_COLLECTIONS = frozenset({"set", "list", "deque"})
_LISTS = re.compile(r"(^|_)(tasks|jobs|futures|futs|pending|running|background)$")
"""Names of parameters that are lists of tasks; what is called otherwise may wait by itself."""


def _kept_in(event: object) -> Place | None:
    """The variable or attribute that the task goes to."""
    if isinstance(event, Bind):
        return Place(event.name)
    return event.place if isinstance(event, Touch) else None


def _stops(call: Call, task: Place | None) -> bool:
    """True for `task.cancel()`, and for a call that gets the task, or this method of it."""
    if task is None:
        return False
    cancel = Place(task.root, (*task.attributes, "cancel"))
    return call.callee == cancel or any(value.place in {task, cancel} for value in call.arguments)
