"""A lock file is looked for, and then made.

Between the look and the making, a second process looks too: both find no lock file, both make one, and both
believe that they hold the lock. If the holder is killed, the file stays, and nobody gets in any more.

Make the file in one step that fails if it is there (`open(path, "x")`, `os.O_EXCL`), or better hold `fcntl.flock`
on it, which ends with the process.
"""

import re
from collections.abc import Iterator

from racehound.analysis.flow.paths import Paths
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.file_reach import Reached, doing, reached
from racehound.rules.files.file_steps import LOCK_PATH, accuse_files, is_caught
from racehound.rules.files.kernel_locks import is_locked_between, is_locked_later
from racehound.rules.files.missing_looks import breaks_when_free, goes_on_if_missing
from racehound.rules.files.pid_files import claimed_by_number, claiming
from racehound.rules.files.stale_locks import taken_for_stale
from racehound.rules.rule import Rule, once
from racehound.source.events import Flow, Span
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb

_MAKES = frozenset({FileVerb.WRITE, FileVerb.APPEND, FileVerb.TOUCH})
_LOOKS = frozenset({FileVerb.CHECK, FileVerb.STAT})
_TRIES = frozenset({FileVerb.CREATE})
_REMOVES = frozenset({FileVerb.REMOVE, FileVerb.CLEAR})


class LockFileByExistence(Rule):
    meta = RuleMeta(
        code="RH404",
        name="lock-file-by-existence",
        summary="`{function}` looks whether `{path}` exists and then makes it: two processes both get the lock",
        severity=Severity.ERROR,
        race_type="TOCTOU",
        impact="No exclusion: two processes are in the critical section at the same time.",
        since="0.1.0",
        tags=frozenset({"files", "locks"}),
    )
    bad = (
        Bad("""
            import os
            import time

            def acquire(lock_path):
                while os.path.exists(lock_path):
                    time.sleep(0.1)
                with open(lock_path, "w") as file:  # RH
                    file.write(str(os.getpid()))
            """),
    )
    good = (
        Good("""
            import os
            import time

            def acquire(lock_path):
                while True:
                    try:
                        with open(lock_path, "x") as file:
                            file.write(str(os.getpid()))
                        return
                    except FileExistsError:
                        time.sleep(0.1)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for function in doing(program, _LOOKS, _MAKES):
            steps = list(reached(program, function, depth=1))
            ends = _ends(function, steps)
            for step in steps:
                if step.call.verb in _MAKES and (_is_lock(step.by, step.own.path) or _is_released(ends, step)):
                    yield from self._made(program, function, steps, step)
        for function in doing(program, _TRIES, _REMOVES):
            yield from self._stale(program, function)
        for function in claiming(program):
            for look, made in claimed_by_number(program, function):
                yield from self._pair(program, function, look, made)

    def _made(
        self, program: Program, function: FunctionFacts, steps: list[Reached], made: Reached
    ) -> Iterator[Finding]:
        look = _look(program, function, steps, made)
        if look is not None:
            yield from self._pair(program, function, look, made)

    def _pair(self, program: Program, function: FunctionFacts, look: Reached, made: Reached) -> Iterator[Finding]:
        if program.locksets.at(function, made.call.at) or is_locked_later(made.by, made.own):
            return
        if is_locked_between(function, look.call, made.call):
            return
        trigger = (
            f"Two processes look for `{made.call.path}` at once; neither finds one that counts, both write "
            f"it in `{made.by.name}`, and both go on."
        )
        pair = ((function, made.call), (look.by, look.own))
        yield accuse_files(self, program, pair, trigger, CERTAIN)

    def _stale(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for look, removal in taken_for_stale(program, function):
            if look.verb is FileVerb.CHECK and not _is_lock(function, removal.path):
                continue  # what is only looked for is put aside for a new one
            trigger = (
                f"Two processes wait in `{function.name}` and find `{removal.path}` too old: one removes it and "
                "makes its own; the other one then removes that, and both hold the lock."
            )
            pair = ((function, removal), (function, look))
            yield accuse_files(self, program, pair, trigger, FileDoubt.TOO_OLD.likely)


def _is_lock(function: FunctionFacts, path: str) -> bool:
    """True for a path that is called a lock, or is given a name with one in it: `path = base + ".lock"`."""
    if LOCK_PATH.search(path):
        return True
    if path in function.parameters:
        given: Iterator[str] = _default(function, path)
    else:
        given = _given(_text(function, path), path)
    return any(LOCK_PATH.search(literal) for text in given for literal in re.findall(r"""["'][^"']*["']""", text))


def _default(function: FunctionFacts, parameter: str) -> Iterator[str]:
    """What a parameter is if nobody says otherwise."""
    head = re.split(r"\)[^\n]*:[ \t]*(?:#|\n)", _text(function, parameter), maxsplit=1)[0]
    yield from (match[1] for match in re.finditer(rf"\b{parameter}\s*(?::[^=,]*)?=\s*([^,)]*)", head))


def _given(text: str, path: str) -> Iterator[str]:
    """What is assigned to the path, at the beginning of a line; a pattern that says so itself takes far longer."""
    for match in re.finditer(rf"(?m){re.escape(path)}\s*(?::[^=\n]*)?=(?!=)(.*)$", text):
        if not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
            yield match[1]


def _text(function: FunctionFacts, path: str) -> str:
    """Where the path gets its value: a variable in its function, or else anywhere in the module."""
    if "." in path or path in function.module.variables:
        return function.module.text
    return "\n".join(function.module.text.split("\n")[function.span.line - 1 : function.span.end_line])


def _is_released(ends: dict[str, int], made: Reached) -> bool:
    """True if the function takes the file away again at the end, as one does with a lock."""
    return made.call.verb is not FileVerb.APPEND and ends.get(made.key, made.call.at) > made.call.at


def _ends(function: FunctionFacts, steps: list[Reached]) -> dict[str, int]:
    """Where files are removed last inside `finally`."""
    removes = [step for step in steps if step.call.verb in _REMOVES]
    inside = set(_last_blocks(function)) if removes else set()
    return {step.key: step.call.at for step in sorted(removes, key=_at) if step.call.at in inside}


def _at(step: Reached) -> int:
    return step.call.at


def _last_blocks(function: FunctionFacts) -> Iterator[int]:
    """Indices of the events inside `finally`."""
    open_: list[bool] = []
    for index, event in enumerate(function.events):
        if event is Flow.TRY:
            open_.append(False)
        elif event is Flow.FINALLY and open_:
            open_[-1] = True
        elif event is Flow.END and open_:
            open_.pop()
        elif any(open_):
            yield index


def _look(program: Program, function: FunctionFacts, steps: list[Reached], made: Reached) -> Reached | None:
    """The look that turns others away: in the function itself, or in a function that it asks."""
    paths = program.awaits.paths(function)
    for step in steps:
        call = step.call
        if step.key != made.key or call.at >= made.call.at:
            continue
        if step.by is function and (
            goes_on_if_missing(function, call, made.call.at) or breaks_when_free(function, call, made.call.at)
        ):
            return step
        if not _is_look(program, function, step):
            continue
        asks = call.tested if step.by is function else True
        if asks and (
            paths.is_loop_test(call.at) or _turns_away(function, paths, (call.at, call.span), made.call.at)
        ):
            return step
    return None


def _is_look(program: Program, function: FunctionFacts, step: Reached) -> bool:
    """True for a question, and for a helper that asks for the age of the file and answers what it was told."""
    if step.call.verb is FileVerb.CHECK:
        return True
    return step.call.verb is FileVerb.STAT and step.by is not function and is_caught(program, step.by, step.own)


def _turns_away(function: FunctionFacts, paths: Paths, look: tuple[int, Span], made: int) -> bool:
    """True if the file is made only where the look did not find it."""
    index, span = look
    if not paths.decided_by(index, made):
        return False
    before = function.module.text.split("\n")[span.line - 1][: span.column]
    is_negated = before.rstrip().endswith("not")
    side = paths.side(index, made)
    return is_negated if side == 0 else not is_negated
