"""A path is looked at, and then used as if nothing could have changed in between.

Another process, or another thread, makes the directory or removes the file right after the look: `mkdir` fails
because it exists, `remove` because it does not. Two workers that start at the same moment, or one job that cleans
up while another begins, are enough. On one's own machine it never happens.

Leave the look out and say what to do in that case: `exist_ok=True`, `missing_ok=True`, mode `"x"`, or an `except`
clause for `FileExistsError` and `FileNotFoundError`.
"""

from collections.abc import Iterator

from racehound.analysis.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.by_hand import is_by_hand, is_command, is_prepared_for_all
from racehound.rules.file_helpers import handed_to_helpers
from racehound.rules.file_names import FileNames, may_be_same_file
from racehound.rules.file_steps import LOCK_PATH, accuse_files, callers_of, is_caught, is_excluded, is_lasting
from racehound.rules.private_files import is_private
from racehound.rules.rule import Rule
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_BREAKS = frozenset({FileVerb.MAKE, FileVerb.REMOVE, FileVerb.RENAME})
"""Fails, or destroys, if somebody was quicker."""
_MINDS = frozenset({FileVerb.READ, FileVerb.WRITE})
_HANDED_ON = "a thread"
"""Where a coroutine has a step done, and waits for it: whether two of them come is another matter."""


class FileCheckThenUse(Rule):
    meta = RuleMeta(
        code="RH401",
        name="file-check-then-use",
        summary="`{function}` looks for `{path}` and then relies on what it saw",
        severity=Severity.WARNING,
        race_type="TOCTOU",
        impact="Crash or lost file: the path has appeared or vanished since the look.",
        since="0.1.0",
        tags=frozenset({"files"}),
    )
    bad = (
        Bad("""
            import os

            def prepare(directory):
                if not os.path.exists(directory):
                    os.makedirs(directory)  # RH
            """),
        Bad("""
            from pathlib import Path

            def forget(name):
                cache = Path("cache") / name
                if cache.exists():
                    cache.unlink()  # RH
            """),
    )
    good = (
        Good("""
            import os

            def prepare(directory):
                os.makedirs(directory, exist_ok=True)
            """),
        Good("""
            import os

            def forget(path):
                if os.path.exists(path):
                    try:
                        os.remove(path)
                    except FileNotFoundError:
                        pass
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = FileNames(program)
        for module in program.modules:
            for function in module.functions:
                if any(call.verb is FileVerb.CHECK for call in function.files):
                    yield from self._function(program, names, function)

    def _function(self, program: Program, names: FileNames, function: FunctionFacts) -> Iterator[Finding]:
        for check, use in _pairs(program, function, [*function.files, *handed_to_helpers(program, function)]):
            if is_caught(function, use) or is_excluded(program, function, check, use):
                continue
            if is_private(names, function, use):
                continue
            remover = _remover(names, function, use)
            does = "makes" if use.verb is FileVerb.MAKE else use.verb.value
            trigger = (
                f"`{function.name}` looks for `{use.path}`; before it {does} it, another process does "
                "the same or the opposite, and the call fails or hits what is not meant."
                if remover is None
                else f"`{function.name}` finds `{use.path}`; before it {does} it, another process "
                f"removes it in `{remover[0].name}`."
            )
            pair = ((function, use), remover or (function, check))
            yield accuse_files(self, program, pair, trigger, _confidence(program, function, use, remover))


def _pairs(program: Program, function: FunctionFacts, uses: list[FileCall]) -> Iterator[tuple[FileCall, FileCall]]:
    paths = program.awaits.paths(function)
    for use in uses:
        if use.verb not in _BREAKS | _MINDS or LOCK_PATH.search(use.path):
            continue
        for check in function.files:
            same = check.verb is FileVerb.CHECK and check.tested and check.path == use.path
            if (
                same
                and check.at < use.at
                and paths.decided_by(check.at, use.at)
                and paths.reaches(check.at, use.at)
            ):
                yield check, use
                break


def _remover(names: FileNames, function: FunctionFacts, use: FileCall) -> tuple[FunctionFacts, FileCall] | None:
    """Where the module itself takes away the file, or files of its directory, that is read here."""
    ours = names.of(function, use)
    if use.verb is not FileVerb.READ or not ours:
        return None
    for other in function.module.functions:
        for call in other.files:
            removes = call.verb in {FileVerb.REMOVE, FileVerb.CLEAR} and other is not function
            if removes and may_be_same_file(ours, names.of(other, call)):
                return other, call
    return None


def _confidence(
    program: Program, function: FunctionFacts, use: FileCall, remover: tuple[FunctionFacts, FileCall] | None
) -> Confidence:
    """Making is what every start of a program does; removing is most often for whoever owns the file.

    A helper is called with paths of their own by those who run at the same time.
    """
    if remover is not None:
        return Confidence.POSSIBLE if is_command(function) or is_constructor(remover[0]) else Confidence.LIKELY
    if use.verb in _MINDS or is_by_hand(function, use):
        return Confidence.POSSIBLE
    crowded = any(context.many and context.what != _HANDED_ON for context in program.contexts.all(function))
    if crowded and (is_lasting(function, use.path) or not any(callers_of(program, function))):
        return Confidence.CERTAIN
    made = use.verb is FileVerb.MAKE and is_prepared_for_all(function, use)
    return Confidence.LIKELY if made else Confidence.POSSIBLE
