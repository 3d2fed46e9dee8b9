"""A worker changes something that the whole process has only once.

The working directory, the environment, the umask, the locale and the default socket timeout belong to the
process, not to the thread. While one worker has changed them, all others see the change: a relative path leads to
another directory, a subprocess gets somebody else's environment. So do the one generator of random numbers that a
seed sets, and what `warnings.catch_warnings` or `redirect_stdout` put aside and bring back: whoever leaves last
brings back what the other one had put in its place. With one worker it works.

Pass the value where it is needed (`cwd=`, `env=`, absolute paths, `timeout=`, a generator of its own), or do the
work in a process of its own.
"""

import re
from collections.abc import Iterator
from itertools import islice

from racehound.analysis.flow.blocks import pause_in_block
from racehound.analysis.program import Program
from racehound.analysis.threads.activations import Context
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Acquire, Call, Pause, Place, Shape, Span
from racehound.source.facts import FunctionFacts

_CHANGES = {
    "os.chdir": "the working directory",
    "os.fchdir": "the working directory",
    "contextlib.chdir": "the working directory",
    "os.umask": "the umask",
    "os.putenv": "the environment",
    "os.unsetenv": "the environment",
    "os.environ.__setitem__": "the environment",
    "os.environ.update": "the environment",
    "os.environ.pop": "the environment",
    "locale.setlocale": "the locale",
    "socket.setdefaulttimeout": "the default timeout of sockets",
    "random.seed": "the generator of random numbers",
    "numpy.random.seed": "the generator of random numbers",
}
_APART = "or do the work in a process of its own."
_PASSED = f"Pass the stream to write to as an argument, {_APART}"
_REMEDIES = {
    "the working directory": "Use absolute paths, and pass `cwd=` to the processes that are started.",
    "the umask": f"Set the mode of the file itself, with `os.fchmod` or `os.open`, {_APART}",
    "the environment": "Pass the value as an argument, and `env=` to the processes that are started.",
    "the locale": f"Format with a library that takes the locale as an argument, {_APART}",
    "the default timeout of sockets": "Set the timeout of the socket at hand, with `settimeout` or `timeout=`.",
    "the generator of random numbers": "Use a generator of one's own: `random.Random` or `default_rng` of numpy.",
    "the filters of warnings": f"Enter the block once, before the others begin, {_APART}",
    "the standard output": _PASSED,
    "the standard error output": _PASSED,
}
_OTHERWISE = {True: "changes", False: "waits after it has changed"}
"""What the second of two does: the same in another thread, or it lets other tasks do so."""
_PUT_ASIDE = {
    "warnings.catch_warnings": "the filters of warnings",
    "contextlib.redirect_stdout": "the standard output",
    "contextlib.redirect_stderr": "the standard error output",
}
"""What a `with` block changes and brings back."""
_ALONE = re.compile(r"_*a?(main|test)(_|$)")
"""Coroutines that have the loop for themselves."""
_ENTERED = frozenset(name.rpartition(".")[2] for name in _PUT_ASIDE)
_METHODS = frozenset(name.rpartition(".")[2] for name in _CHANGES)


class ProcessStateInWorker(Rule):
    meta = RuleMeta(
        code="RH406",
        name="process-state-in-worker",
        summary="`{function}` changes {state} of the whole process while others run beside it",
        severity=Severity.WARNING,
        race_type="Process-Global State",
        impact="Data corruption: others work in the wrong directory, environment or locale, or print elsewhere.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import os
            from concurrent.futures import ThreadPoolExecutor

            def build(project):
                os.chdir(project)  # RH
                return compile_here()

            def main(projects):
                with ThreadPoolExecutor() as pool:
                    return list(pool.map(build, projects))
            """),
    )
    good = (
        Good("""
            import os
            from concurrent.futures import ProcessPoolExecutor

            def build(project):
                os.chdir(project)
                return compile_here()

            def main(projects):
                with ProcessPoolExecutor() as pool:
                    return list(pool.map(build, projects))
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in dict.fromkeys(item for name in _METHODS for item in module.callers.get(name, ())):
                for index, event in enumerate(function.events):
                    if isinstance(event, Call) and event.method in _METHODS:
                        yield from self._call(program, function, index, event)
            for function in dict.fromkeys(item for name in _ENTERED for item in module.callers.get(name, ())):
                yield from islice(self._blocks(program, function), 1)

    def _blocks(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for index, event in enumerate(function.events):
            if isinstance(event, Acquire) and event.value.shape is Shape.CALL:
                yield from self._block(program, function, index, event)

    def _block(self, program: Program, function: FunctionFacts, index: int, entry: Acquire) -> Iterator[Finding]:
        place = entry.value.place
        name = program.kinds.callee(function, place) if place is not None else None
        state = _PUT_ASIDE.get(name) if isinstance(name, str) else None
        if state is None or program.locksets.at(function, index):
            return
        threads = [context for context in program.contexts.all(function) if context.many]
        pause = pause_in_block(function, index, entry)
        if threads and "ProcessPool" not in function.module.text:
            yield self._accuse_block(function, (entry, entry.span), str(threads[0]), state)
        elif pause is not None and not _ALONE.match(function.name):
            yield self._accuse_block(function, (entry, pause.span), program.tasks.describe(function), state)

    def _accuse_block(
        self, function: FunctionFacts, block: tuple[Acquire, Span], context: str, state: str
    ) -> Finding:
        entry, way_out = block
        first, second = (
            Step(function=function, span=span, action=action, target=state, context=context)
            for span, action in ((entry.span, "changes"), (way_out, _OTHERWISE[way_out == entry.span]))
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` changes {state} for a while; before it restores what was there, another "
                "one does the same; the one that ends last restores what the other had changed."
            ),
            confidence=_heed(entry),
            impact=f"Mixed-up state: {state} of one is that of the other, or stays changed for good.",
            remedy=_REMEDIES[state],
        )
        return report(self, incident, function=function.name, state=state)

    def _call(self, program: Program, function: FunctionFacts, index: int, call: Call) -> Iterator[Finding]:
        name = program.kinds.callee(function, call.callee) if call.callee is not None else None
        if not isinstance(name, str) or name not in _CHANGES or program.locksets.at(function, index):
            return
        context = _context(program, function, index)
        if context is not None:
            yield self._accuse(function, call, context, _CHANGES[name])

    def _accuse(self, function: FunctionFacts, call: Call, context: Context, state: str) -> Finding:
        step = Step(function=function, span=call.span, action="changes", target=state, context=str(context))
        incident = Incident(
            first=step,
            second=step,
            trigger=(
                f"`{function.name}` runs in {context} and changes {state}; another worker, in the middle of its "
                "own work, goes on with the changed one."
            ),
            confidence=_confidence(function, call, context),
            impact=f"Mixed-up state: others go on with {state} that this one has set.",
            remedy=_REMEDIES[state],
        )
        return report(self, incident, function=function.name, state=state)


def _heed(entry: Acquire) -> Sureness:
    """What is heard of others is mistaken for one's own; a warning too many or too few is no great harm."""
    listens = any(word == "record" for word, _ in entry.value.keywords)
    heeded = listens or entry.value.name != "catch_warnings"
    return FileDoubt.BLOCKS_OVERLAP.likely if heeded else FileDoubt.WARNINGS.possible


def _confidence(function: FunctionFacts, call: Call, context: Context) -> Sureness:
    """Workers that each want something else are in each other's way; one of a kind, or a constant, is not."""
    given = (*call.arguments, *(value for _, value in call.keywords))
    parts = [part for value in given[-1:] for part in (value, *value.arguments)]
    own = any(value.place is not None and _is_own(function, value.place) for value in parts)
    if not context.many:
        return FileDoubt.ONE_WORKER.possible
    return CERTAIN if own else FileDoubt.SAME_FOR_ALL.possible


def _is_own(function: FunctionFacts, place: Place) -> bool:
    """True for what a call of the function got or made, other than what was there before."""
    before = any(value.name in _METHODS for value in function.bindings.get(place.root, ()))
    return place.root == SELF or place.root in function.parameters or (place.root in function.bound and not before)


def _context(program: Program, function: FunctionFacts, index: int) -> Context | None:
    """A thread beside others, or a task beside others that waits after the change."""
    threads = program.contexts.all(function)
    if threads and "ProcessPool" in function.module.text:
        return None  # a pool that is passed in may be one of processes
    if threads:
        return max(threads, key=lambda context: context.many)
    waits = any(isinstance(event, Pause) for event in function.events[index:])
    tasks = [context for context in program.tasks.of(function) if context.many]
    return tasks[0] if tasks and waits else None
