"""A thread touches an event loop that is not its own.

Event loops are not made for several threads. `call_soon`, `create_task`, `Future.set_result` and the methods of
asyncio's queues and events change lists of the loop without a lock, and do not wake it: the callback runs late, or
never, or the loop breaks. `asyncio.get_event_loop()` in a worker thread raises, for only the main thread gets a
loop. What happens depends on what the loop does at that moment.

From a thread use `loop.call_soon_threadsafe` and `asyncio.run_coroutine_threadsafe`; for work of its own a thread
runs its own loop with `asyncio.run`.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.futures import completions, kept_futures
from racehound.analysis.event_loops.loop_threads import (
    OF_LOOPS,
    LoopThread,
    loop_run,
    loops_begun,
    outside_calls,
    started_here,
    waited_for,
)
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.entries import REQUEST
from racehound.analysis.threads.own_thread import knows_its_thread
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.loop_belongings import is_of_its_kind
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Action, Call, Decision, Exit, Shape, Span, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_LOOP_METHODS = frozenset(
    {"call_soon", "call_later", "call_at", "create_task", "stop", "add_reader", "remove_reader", "add_writer"}
)
_FUNCTIONS = frozenset({"asyncio.get_event_loop", "asyncio.create_task", "asyncio.ensure_future"})
_NAMES = _LOOP_METHODS | {"get_event_loop", "ensure_future"} | frozenset().union(*OF_LOOPS.values())


class LoopTouchedFromThread(Rule):
    meta = RuleMeta(
        code="RH309",
        name="loop-touched-from-thread",
        summary="`{function}` {runs} and calls `{call}`, which belongs to the thread of the event loop",
        severity=Severity.ERROR,
        race_type="Event Loop",
        impact="Lost wake-up, RuntimeError or a broken loop: the loop is changed while it runs in another thread.",
        since="0.1.0",
        tags=frozenset({"asyncio", "threads"}),
    )
    bad = (
        Bad(
            """
            import asyncio
            import threading

            class Background:
                def __init__(self):
                    self._loop = asyncio.new_event_loop()
                    threading.Thread(target=self._loop.run_forever, daemon=True).start()

                def stop(self):
                    self._loop.stop()  # RH
            """,
            fixed="""
            import asyncio
            import threading

            class Background:
                def __init__(self):
                    self._loop = asyncio.new_event_loop()
                    threading.Thread(target=self._loop.run_forever, daemon=True).start()

                def stop(self):
                    self._loop.call_soon_threadsafe(self._loop.stop)
            """,
        ),
        Bad("""
            import asyncio
            from concurrent.futures import ThreadPoolExecutor

            def resolve(host):
                loop = asyncio.get_event_loop()  # RH
                return loop.run_until_complete(look_up(host))

            def main(hosts):
                with ThreadPoolExecutor() as pool:
                    return list(pool.map(resolve, hosts))
            """),
        Bad("""
            import asyncio
            import threading

            class Reader:
                def __init__(self, loop):
                    self._loop = loop
                    self._lines = asyncio.Queue()
                    threading.Thread(target=self._read).start()

                def _read(self):
                    for line in open("/dev/stdin"):
                        self._lines.put_nowait(line)  # RH
            """),
    )
    good = (
        Good("""
            import asyncio
            import threading

            class Background:
                def __init__(self):
                    self._loop = asyncio.new_event_loop()
                    threading.Thread(target=self._loop.run_forever, daemon=True).start()

                def stop(self):
                    self._loop.call_soon_threadsafe(self._loop.stop)
            """),
        Good("""
            import asyncio
            import threading

            class Reader:
                def __init__(self, loop):
                    self._loop = loop
                    self._lines = asyncio.Queue()
                    threading.Thread(target=self._read).start()

                def _read(self):
                    for line in open("/dev/stdin"):
                        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for function, context in program.loops.foreign().items():
            yield from self._foreign(program, function, context)
        for module in program.modules:
            if "event_loop" in module.text:
                for starter in module.functions:
                    yield from self._beside(program, starter)
            if "Thread" in module.text and "async" in module.text:
                for owner in module.classes:
                    yield from self._primitives(program, owner)

    def _foreign(self, program: Program, function: FunctionFacts, context: Context) -> Iterator[Finding]:
        """Calls by a function that runs in a thread without a loop of its own."""
        for index, event in enumerate(function.events):
            named = isinstance(event, Call) and event.method in _NAMES
            if isinstance(event, Call) and named and not knows_its_thread(program, function, index):
                confidence = _confidence(program, function, event, context)
                if confidence is not None and not _runs_it_itself(function, event):
                    sure = TaskDoubt.RUNTIME_ERROR_CAUGHT.possible if _is_caught(function, index) else confidence
                    yield self._accuse(program, function, event, context, sure)
        for call in _completed(program, function):
            yield self._accuse(program, function, call, context, TaskDoubt.OWN_LOOP.likely)

    def _beside(self, program: Program, starter: FunctionFacts) -> Iterator[Finding]:
        """Calls on a loop that the same class or function runs in a thread."""
        for thread in started_here(program, starter):
            for function, index in outside_calls(program, thread, starter.owner, _LOOP_METHODS):
                event, start = function.events[index], starter.events[thread.at]
                asked = knows_its_thread(program, function, index)
                if isinstance(event, Call) and isinstance(start, Call) and not asked:
                    yield self._accuse_outside(function, event, (starter, start), str(thread.place))

    def _primitives(self, program: Program, owner: ClassFacts) -> Iterator[Finding]:
        """What coroutines of an object wait for in a thread that it starts, changed from another one."""
        for starter in owner.methods.values():
            for at in (*loops_begun(program, starter), *loop_run(program, starter)):
                for place, kind in waited_for(program, owner).items():
                    thread = LoopThread(place, starter, at)
                    for function, index in outside_calls(program, thread, owner, OF_LOOPS[kind]):
                        event, start = function.events[index], starter.events[at]
                        asked = knows_its_thread(program, function, index) or is_constructor(function)
                        if isinstance(event, Call) and isinstance(start, Call) and not asked:
                            yield self._accuse_outside(function, event, (starter, start), str(place))

    def _accuse_outside(
        self, function: FunctionFacts, call: Call, begun: tuple[FunctionFacts, Call], loop: str
    ) -> Finding:
        starter, start = begun
        where = f"{starter.module.path}:{start.span.line}"
        name = str(call.callee) if call.callee is not None else f"{loop}.{call.method}"
        incident = Incident(
            first=Step(
                function=function,
                span=call.span,
                action="calls",
                target=name,
                context=f"any thread that calls `{function.name}`",
            ),
            second=Step(
                function=starter,
                span=start.span,
                action="starts the thread of",
                target=loop,
                context=f"the thread of the loop, started at {where}",
            ),
            trigger=(
                f"`{loop}` is at work in the thread started at {where} when `{function.name}` calls `{name}`: "
                "both change the loop at once, and the loop is not woken."
            ),
            confidence=TaskDoubt.OTHER_CALLER.likely,
        )
        return report(self, incident, function=function.name, call=name, runs=f"runs beside `{loop}`")

    def _accuse(
        self, program: Program, function: FunctionFacts, call: Call, context: Context, confidence: Sureness
    ) -> Finding:
        name = str(call.callee) if call.callee is not None else call.method
        first = Step(function=function, span=call.span, action="calls", target=name, context=str(context))
        second = _beginning(program, function, context)
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` runs in {context} and calls `{name}` while the loop is at work in its own "
                "thread, or where there is no loop at all."
            ),
            confidence=confidence,
        )
        return report(self, incident, function=function.name, call=name, runs="runs in a thread")


def _beginning(program: Program, function: FunctionFacts, context: Context) -> Step:
    """What brings the function into a thread without the loop."""
    there = [item for module in program.modules if module.path == context.path for item in module.functions]
    around = [item for item in there if item.span.line < context.line <= item.span.end_line]
    starter = max(around, key=lambda item: item.span.line, default=next(iter(there), function))
    return Step(
        function=starter,
        span=Span(context.line, 0, context.line, 0),
        action="starts a thread that comes to",
        target=function.name,
        context="the thread that starts it",
        is_raced=False,
    )


def _completed(program: Program, function: FunctionFacts) -> Iterator[Call]:
    """Completions of futures that a coroutine of the object waits for: they wake nobody from here."""
    if function.owner is None or "set_result" not in function.module.callers:
        return
    kept = {item.field for item in kept_futures(function.owner, program.kinds, program.hierarchy)}
    yield from (call for call, field in completions(function) if field in kept)


def _runs_it_itself(function: FunctionFacts, call: Call) -> bool:
    """True for `loop.create_task(...)` beside `loop.run_until_complete(...)`: the loop is that of this thread."""
    place = call.receiver.place if call.receiver is not None else None
    return place is not None and any(
        isinstance(event, Call)
        and event is not call
        and event.method == "run_until_complete"
        and event.receiver is not None
        and event.receiver.place == place
        for event in function.events
    )


def _is_caught(function: FunctionFacts, index: int) -> bool:
    """True if the function reckons with a thread that has no loop."""
    return any(attempt.guards(index, _NO_LOOP) for attempt in function.attempts)


_NO_LOOP = frozenset({"RuntimeError"})


def _is_asked_for(function: FunctionFacts, call: Call) -> bool:
    """True if the function looks whether there is any: without a loop there may be none."""
    place = call.receiver.place if call.receiver is not None else None
    return any(
        (isinstance(event, Touch) and event.action is Action.CHECK and event.place == place)
        or (isinstance(event, Decision) and _text(function, event) == str(place))
        for event in function.events
    )


def _text(function: FunctionFacts, decision: Decision) -> str:
    """What is asked, where that stands on one line: of other objects than `self` no look is noted."""
    span = decision.span
    return function.module.line(span.line)[span.column : span.end_column]


def _knows_coroutines(program: Program, context: Context) -> bool:
    """False if a class without any coroutine starts the thread: who waits there, and where, another one says."""
    owners = [item for item in program.hierarchy.classes if str(item) == context.starter]
    return not owners or any(item.is_async for owner in owners for item in program.hierarchy.effective(owner))


def _confidence(program: Program, function: FunctionFacts, call: Call, context: Context) -> Sureness | None:
    name = program.kinds.callee(function, call.callee) if call.callee is not None else None
    if isinstance(name, str) and name in _FUNCTIONS:
        if context.what == REQUEST and _gives_back_a_future(function):
            return TaskDoubt.BACK_TO_LOOP.possible
        return TaskDoubt.OF_TEST.possible if is_in_a_test(program.hierarchy, function) else CERTAIN
    if call.receiver is None or isinstance(name, FunctionFacts):
        return None
    kinds = program.kinds.value(function, call.receiver)
    if any(call.method in methods for kind, methods in OF_LOOPS.items() if kind in kinds):
        asked = NONE in kinds and _is_asked_for(function, call)
        sure = CERTAIN if _knows_coroutines(program, context) else TaskDoubt.OWN_LOOP.likely
        return TaskDoubt.ASKED_FOR.possible if asked else sure
    if not kinds and is_of_its_kind(program, function, call):
        return TaskDoubt.BY_WHAT_IS_MADE.likely
    if call.method not in _LOOP_METHODS or "asyncio.new_event_loop" in kinds:
        return None
    if not program.coroutines.is_loop(kinds, call.receiver):
        return None
    known = any(str(kind).startswith("asyncio.") for kind in kinds)
    return CERTAIN if known else TaskDoubt.LOOP_BY_NAME.likely


def _gives_back_a_future(function: FunctionFacts) -> bool:
    """True for `return loop.run_in_executor(...)`: who calls that waits for it on the loop."""
    answers = [event.value for event in function.events if isinstance(event, Exit) and event.kind == "return"]
    return any(value.shape is Shape.CALL and value.name in _FUTURES for value in answers)


_FUTURES = frozenset({"create_future", "create_task", "ensure_future", "run_in_executor"})
