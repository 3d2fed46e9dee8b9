"""A directory is listed, and what was found there is removed, as if it were there still.

Between the list and the removal another process goes over the same directory: two workers that clear a cache at
the same time both find the old file, one removes it, and the other one fails with `FileNotFoundError`, amidst its
round. It takes two that clean up at once, which is when they start, or when a time is over for both.

Catch `FileNotFoundError` at each step, or pass `missing_ok=True`: what is gone is what was wanted.
"""

import re
from collections.abc import Iterator

from racehound.analysis.files.listings import Removal, removals
from racehound.analysis.program import Program
from racehound.model.doubt import Sureness
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.by_hand import is_by_hand
from racehound.rules.files.file_names import FileNames
from racehound.rules.files.file_steps import is_caught, is_excluded
from racehound.rules.files.private_files import is_private
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.facts import FunctionFacts

_CLEARING = re.compile(
    r"_*(clear|clean|empty|evict|expire|flush|gc|prune|purge|remove|sweep|trim|delete|drop|del)"
)
_COMMON = re.compile(r"cach|session|spool|lease|(?<![bc])lock|queue", re.IGNORECASE)


class ListedThenRemoved(Rule):
    meta = RuleMeta(
        code="RH407",
        name="listed-then-removed",
        summary="`{path}` was found in a directory that others clear as well, and may be gone when it is removed",
        severity=Severity.WARNING,
        race_type="TOCTOU",
        impact="Crash: `FileNotFoundError` ends the loop, and the rest is not removed.",
        since="0.1.0",
        tags=frozenset({"files"}),
    )
    bad = (
        Bad("""
            import os
            import time

            class FileCache:
                def __init__(self, directory):
                    self._directory = directory

                def expire(self, age):
                    for name in os.listdir(self._directory):
                        path = os.path.join(self._directory, name)
                        if time.time() - os.stat(path).st_mtime > age:
                            os.remove(path)  # RH
            """),
    )
    good = (
        Good("""
            import os
            import time

            class FileCache:
                def __init__(self, directory):
                    self._directory = directory

                def expire(self, age):
                    for name in os.listdir(self._directory):
                        path = os.path.join(self._directory, name)
                        try:
                            if time.time() - os.stat(path).st_mtime > age:
                                os.remove(path)
                        except FileNotFoundError:
                            continue
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = FileNames(program)
        for module in program.modules:
            for function in module.functions:
                for found in removals(function) if function.files else ():
                    if not _is_alone(program, names, function, found):
                        yield self._accuse(function, found)

    def _accuse(self, function: FunctionFacts, found: Removal) -> Finding:
        call, context = found.call, f"any process that calls `{function.name}`"
        first = Step(function=function, span=call.span, action="removes", target=call.path, context=context)
        second = Step(
            function=function, span=found.listing, action="lists", target="the directory", context=context
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"Two processes run `{function.name}`: both list the directory and find the same file; one "
                f"removes it, and `{call.path}` is gone when the other comes to it."
            ),
            confidence=_confidence(function, found),
        )
        return report(self, incident, path=call.path)


def _is_alone(program: Program, names: FileNames, function: FunctionFacts, found: Removal) -> bool:
    call = found.call
    if is_caught(program, function, call) or is_excluded(program, function, call):
        return True
    around = any(attempt.begin <= found.at < attempt.end for attempt in function.attempts)
    return around or is_private(names, function, call)


def _confidence(function: FunctionFacts, found: Removal) -> Sureness:
    """Who clears a cache or the sessions of all does so beside others; a directory may belong to one alone."""
    clears = _CLEARING.match(function.name) is not None
    names = f"{found.directory} {function.qualified_name if clears else ''}"
    if is_by_hand(function, found.call):
        return FileDoubt.BY_HAND.possible
    common = _COMMON.search(names) is not None
    return FileDoubt.COMMON_DIRECTORY.likely if common else FileDoubt.PRIVATE_DIRECTORY.possible
