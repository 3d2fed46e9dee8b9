"""A lock file is looked for, and then made.

Between the look and the making, a second process looks too: both find no lock file, both make one, and both
believe that they hold the lock. If the holder is killed, the file stays, and nobody gets in any more.

Make the file in one step that fails if it is there (`open(path, "x")`, `os.O_EXCL`), or better hold `fcntl.flock`
on it, which ends with the process.
"""

import re
from collections.abc import Iterator

from racehound.analysis.paths import Paths
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.file_steps import LOCK_PATH, accuse_files
from racehound.rules.rule import Rule
from racehound.source.events import Call, Span
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_MAKES = frozenset({FileVerb.WRITE, FileVerb.APPEND, FileVerb.TOUCH})


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
        for module in program.modules:
            for function in module.functions:
                for call in function.files:
                    if call.verb in _MAKES and _is_lock(function, call.path):
                        yield from self._made(program, function, call)

    def _made(self, program: Program, function: FunctionFacts, call: FileCall) -> Iterator[Finding]:
        look = _look(program, function, call)
        if (
            look is not None
            and not program.locksets.at(function, call.at)
            and not _is_locked_later(function, call)
        ):
            trigger = (
                f"Two processes look for `{call.path}` at the same time; neither finds it, both make it in "
                f"`{function.name}`, and both go on."
            )
            yield accuse_files(self, program, ((function, call), look), trigger, Confidence.CERTAIN)


_KERNEL_LOCKS = frozenset({"flock", "lockf", "lock", "locking", "LockFile", "LockFileEx"})


def _is_locked_later(function: FunctionFacts, made: FileCall) -> bool:
    """True if the file is only there to be locked by the kernel: who made it does not matter."""
    return any(isinstance(event, Call) and event.method in _KERNEL_LOCKS for event in function.events[made.at :])


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


def _look(program: Program, function: FunctionFacts, made: FileCall) -> tuple[FunctionFacts, FileCall] | None:
    """The look that turns others away: in the function itself, or in a function that it asks."""
    paths = program.awaits.paths(function)
    for call in function.files:
        if call.verb is not FileVerb.CHECK or not call.tested or call.path != made.path or call.at >= made.at:
            continue
        if paths.is_loop_test(call.at) or _turns_away(function, paths, (call.at, call.span), made.at):
            return function, call
    for index, event in enumerate(function.events[: made.at]):
        asks = isinstance(event, Call) and (
            paths.is_loop_test(index) or _turns_away(function, paths, (index, event.span), made.at)
        )
        target = program.calls.target(function, event) if asks and isinstance(event, Call) else None
        for call in target.files if target is not None and target.owner is function.owner else ():
            if target is not None and call.verb is FileVerb.CHECK and call.path == made.path:
                return target, call
    return None


def _turns_away(function: FunctionFacts, paths: Paths, look: tuple[int, Span], made: int) -> bool:
    """True if the file is made only where the look did not find it."""
    index, span = look
    if not paths.decided_by(index, made):
        return False
    before = function.module.text.split("\n")[span.line - 1][: span.column]
    is_negated = before.rstrip().endswith("not")
    side = paths.side(index, made)
    return is_negated if side == 0 else not is_negated
