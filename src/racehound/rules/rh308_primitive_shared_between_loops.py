"""A primitive of asyncio is used on more than one event loop.

An `asyncio.Lock`, `Event` or `Queue` ties itself to the loop on which a task first has to wait for it. On another
loop it then raises `RuntimeError`, or wakes a task of the wrong loop, which nobody resumes. As long as nobody has
to wait, it goes unnoticed; one that is made at module level lives long enough to meet a second loop.

Make the primitive inside the coroutine that the loop runs, and pass it on; between threads use those of
`threading`.
"""

from collections.abc import Iterator

from racehound.analysis.event_loops.lasting_parts import is_made_with_it, kept_by_modules, lasting_parts
from racehound.analysis.event_loops.loop_primitives import (
    PRIMITIVES,
    Waiting,
    given,
    is_used_on_another,
    outliving,
)
from racehound.analysis.event_loops.loops import Run
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Acquire, Call, Pause, Place, Span
from racehound.source.facts import ClassFacts, FunctionFacts


class PrimitiveSharedBetweenLoops(Rule):
    meta = RuleMeta(
        code="RH308",
        name="primitive-shared-between-loops",
        summary="`{primitive}` is used in `{function}` on more than one event loop",
        severity=Severity.ERROR,
        race_type="Event Loop",
        impact="RuntimeError or hang: a task waits on a primitive that belongs to another loop.",
        since="0.1.0",
        tags=frozenset({"asyncio", "threads"}),
    )
    bad = (
        Bad("""
            import asyncio
            from concurrent.futures import ThreadPoolExecutor

            LIMIT = asyncio.Semaphore(4)

            async def fetch(url):
                async with LIMIT:  # RH
                    return await download(url)

            def work(url):
                return asyncio.run(fetch(url))

            def main(urls):
                with ThreadPoolExecutor() as pool:
                    return list(pool.map(work, urls))
            """),
    )
    good = (
        Good("""
            import asyncio

            LIMIT = asyncio.Semaphore(4)

            async def fetch(url):
                async with LIMIT:
                    return await download(url)

            async def fetch_all(urls):
                return await asyncio.gather(*(fetch(url) for url in urls))

            def main(urls):
                return asyncio.run(fetch_all(urls))
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        accused: set[tuple[FunctionFacts, str]] = set()
        for run in program.loops.repeated_runs():
            for function, use in _uses(program, run):
                if (function, use.name) not in accused:
                    accused.add((function, use.name))
                    yield self._accuse(program, function, use, run)

    def _accuse(self, program: Program, function: FunctionFacts, use: Waiting, run: Run) -> Finding:
        name, span = use
        first = Step(
            function=function, span=span, action="waits on", target=name, context=program.tasks.describe(function)
        )
        second = Step(
            function=run.function,
            span=run.start.call.span,
            action="runs",
            target=run.start.target.name,
            context=run.why,
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{run.function.name}` runs {run.why}; `{name}` has already tied itself to another loop when "
                f"a task has to wait for it in `{function.name}`."
            ),
            confidence=TaskDoubt.ASKED_AGAIN.likely if run.is_offered else CERTAIN,
            fields=(name.rpartition(".")[2],),
        )
        return report(self, incident, primitive=name, function=function.name)


def _uses(program: Program, run: Run) -> Iterator[tuple[FunctionFacts, Waiting]]:
    """Where a loop that is not the only one comes to primitives that are there before it."""
    reached = program.loops.reached(run.start.target)
    before = {item for start in run.earlier for item in program.loops.reached(start)}
    for function, use in _reached_uses(program, run, reached):
        if not run.earlier or function in before or _is_waited_for(program, run, before, (function, use)):
            yield function, use
    for use in given(program, run):
        yield run.function, use


def _is_waited_for(
    program: Program, run: Run, before: set[FunctionFacts], used: tuple[FunctionFacts, Waiting]
) -> bool:
    """True if an earlier loop came to the primitive by other functions."""
    function, use = used
    own = function.owner if use.name.startswith("self.") else None
    return any(
        other.name == use.name and (own is None or item.owner is own)
        for item, other in _reached_uses(program, run, before)
    )


def _reached_uses(
    program: Program, run: Run, reached: set[FunctionFacts]
) -> Iterator[tuple[FunctionFacts, Waiting]]:
    for function in sorted(reached, key=str):
        for name in sorted({*_of_class(program, function), *_of_object(program, function, run, reached)}):
            span = _use_of(function, Place(SELF, (name.removeprefix("self."),)))
            if span is not None:
                yield function, Waiting(name, span)
        for use in outliving(program, function, reached):
            if not _is_alone(program, run) or is_used_on_another(program, function.module, use.name, reached):
                yield function, use


def _is_alone(program: Program, run: Run) -> bool:
    """True for the loop of one thread, which may be the only one."""
    threads = program.contexts.all(run.function)
    return len(threads) == 1 and not threads[0].many


def _of_class(program: Program, function: FunctionFacts) -> Iterator[str]:
    """Primitives made in the body of the class that a method belongs to: all its objects share them."""
    owner = function.owner
    if owner is None:
        return
    body = owner.module.functions[0]
    for name, values in owner.attributes.items():
        if any(program.kinds.value(body, value) & PRIMITIVES for value in values):
            yield f"self.{name}"


def _of_object(program: Program, function: FunctionFacts, run: Run, reached: set[FunctionFacts]) -> Iterator[str]:
    """Primitives that an object has of its own, where it is one of the module and the loops run its methods.

    Or where threads that have it in common run the loops.
    """
    owner = function.owner
    names = [] if owner is None else list(program.kinds.written_names(owner))
    made = [name for name in names if owner is not None and program.kinds.field(owner, name) & PRIMITIVES]
    if owner is None or not made:
        return
    lasting = run.on is not None and owner in lasting_parts(program, run.on)
    if lasting or _have_it_in_common(program, owner, run.function):
        yield from (f"self.{name}" for name in made if is_made_with_it(program, owner, name))
        return
    if any(owner in lasting_parts(program, kept) for kept in kept_by_modules(program, {run.function, *reached})):
        yield from (f"self.{name}" for name in made)


def _have_it_in_common(program: Program, owner: ClassFacts, function: FunctionFacts) -> bool:
    """True if several threads run a loop by a method of one object."""
    threads = program.contexts.on_shared_self(function) if function.owner is owner else ()
    return len(threads) > 1 or any(context.many for context in threads)


def _use_of(function: FunctionFacts, place: Place) -> Span | None:
    depth = len(place.attributes)
    for event in function.events if function.is_async else ():
        if isinstance(event, Acquire) and event.value.place == place:
            return event.span
        used = event.value.place if isinstance(event, Pause) else event.callee if isinstance(event, Call) else None
        if (
            used is not None
            and isinstance(event, Pause | Call)
            and Place(used.root, used.attributes[:depth]) == place
        ):
            return event.span
    return None
