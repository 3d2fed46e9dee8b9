"""A path is looked at, and then used as if nothing could have changed in between.

Another process, or another thread, makes the directory or removes the file right after the look: `mkdir` fails
because it exists, `remove` because it does not. Two workers that start at the same moment, or one job that cleans
up while another begins, are enough. On one's own machine it never happens.

Do not look first; say instead what is to happen in that case: `exist_ok=True`, `missing_ok=True`, mode `"x"`, or
an `except` clause for `FileExistsError` and `FileNotFoundError`.
"""

from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.files.listings import listed_directory
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.by_hand import is_alone_at_it, is_by_hand, is_command, is_prepared_for_all
from racehound.rules.files.claimed_files import is_claimed, raises_alike
from racehound.rules.files.common_paths import CommonPaths, is_named_anew
from racehound.rules.files.file_names import FileNames, is_below_lasting, may_be_same_file, same_file
from racehound.rules.files.file_reach import Reached, doing, reached
from racehound.rules.files.file_steps import (
    LOCK_PATH,
    accuse_files,
    callers_of,
    is_caught,
    is_crowded,
    is_excluded,
    is_lasting,
    is_met_in,
)
from racehound.rules.files.free_names import FreeName, free_names
from racehound.rules.files.private_files import is_private
from racehound.rules.rule import Rule
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_BREAKS = frozenset({FileVerb.MAKE, FileVerb.REMOVE, FileVerb.RENAME})
"""Fails, or destroys, if somebody was quicker."""
_MINDS = frozenset({FileVerb.READ, FileVerb.WRITE, FileVerb.STAT})
_LOOKS = frozenset({FileVerb.CHECK})

_ANYTHING = "does the same or the opposite, and the call fails or hits another file"
_MEANWHILE = {FileVerb.MAKE: "makes it, and the call raises `FileExistsError`"}
"""What another one does between the look and the use, where that is known from the use."""
_MISSING = "without looking first and catch `FileNotFoundError`."
_REMEDIES = {
    FileVerb.MAKE: "Make it without looking first, with `exist_ok=True`, or catch `FileExistsError`.",
    FileVerb.READ: f"Open it {_MISSING}",
    FileVerb.STAT: f"Ask {_MISSING}",
    FileVerb.REMOVE: f"Remove it {_MISSING} `Path.unlink` has `missing_ok=True` for that.",
    FileVerb.RENAME: f"Rename it {_MISSING}",
}
"""Of other uses the page says what to do."""


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
        Bad(
            """
            import os

            def prepare(directory):
                if not os.path.exists(directory):
                    os.makedirs(directory)  # RH
            """,
            fixed="""
            import os

            def prepare(directory):
                if not os.path.exists(directory):
                    os.makedirs(directory, exist_ok=True)
            """,
        ),
        Bad(
            """
            from pathlib import Path

            def forget(name):
                cache = Path("cache") / name
                if cache.exists():
                    cache.unlink()  # RH
            """,
            is_possible=True,
        ),
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
        common = CommonPaths(program, names)
        for function in doing(program, _LOOKS, _BREAKS | _MINDS):
            for check, use in _pairs(program, function):
                if not _is_alone(program, names, function, (check, use)):
                    yield self._accuse(program, (names, common), function, (check, use))
        for free in free_names(program):
            if not _is_kept_for_it(program, names, free):
                yield self._accuse_free(program, (names, common), free)

    def _accuse_free(self, program: Program, known: tuple[FileNames, CommonPaths], free: FreeName) -> Finding:
        maker, made = free.maker, free.made
        names, common = known
        runs = common.is_common(maker, made.value)
        sure = FileDoubt.FREE_AT_ONCE.likely
        if is_named_anew(program, names, maker, made.value):
            sure = FileDoubt.NAMED_ANEW.possible
        elif not _is_met(program, maker, made, runs=runs):
            sure = FileDoubt.OWN_PATH.possible
        other = "another run" if runs else "another process"
        trigger = (
            f"`{free.finder.name}` finds that `{free.look.path}` is free, and so does {other} at the same moment: "
            f"both take it in `{maker.name}`, and the second one fails or overwrites what the first has written."
        )
        return accuse_files(self, program, ((maker, made), (free.finder, free.look)), trigger, sure, runs=runs)

    def _accuse(
        self,
        program: Program,
        known: tuple[FileNames, CommonPaths],
        function: FunctionFacts,
        pair: tuple[Reached, Reached],
    ) -> Finding:
        names, common = known
        check, use = pair[0].call, pair[1].call
        runs = common.is_common(function, use.value) or common.is_common(pair[1].by, pair[1].own.value)
        remover = _remover(program, names, function, use, runs=runs)
        does = "makes" if use.verb is FileVerb.MAKE else use.verb.value
        other = "another run" if runs else "another process"
        meanwhile = _MEANWHILE.get(use.verb, _ANYTHING)
        trigger = (
            f"`{function.name}` looks for `{use.path}`; before it {does} it, {other} {meanwhile}."
            if remover is None
            else f"`{function.name}` finds `{use.path}`; before it {does} it, {other} "
            f"removes it in `{remover[0].name}`."
        )
        steps = ((function, use), remover or (pair[0].by, pair[0].own))
        if remover is not None:
            sure = _beside_remover(program, function, (check, use), remover[0], runs=runs)
        elif runs and _is_taken_by_one(common, function, use) and not is_alone_at_it(function, use):
            sure = FileDoubt.OTHER_RUN.likely
        else:
            sure = _alone(program, names, function, (check, use), runs=runs)
        finding = accuse_files(self, program, steps, trigger, sure, runs=runs)
        return replace(finding, remedy=_REMEDIES.get(use.verb, finding.remedy))


def _is_alone(program: Program, names: FileNames, function: FunctionFacts, pair: tuple[Reached, Reached]) -> bool:
    """True if the failure is reckoned with, or nobody else can come: a lock is held, or the file is private."""
    check, use = pair
    if is_caught(program, function, use.call) or is_caught(program, use.by, use.own):
        return True
    if is_excluded(program, function, check.call, use.call):
        return True
    return is_private(names, function, use.call) or is_private(names, use.by, use.own)


def _is_kept_for_it(program: Program, names: FileNames, free: FreeName) -> bool:
    if is_caught(program, free.maker, free.made) or is_private(names, free.maker, free.made):
        return True
    if is_private(names, free.finder, free.look):
        return True
    return all(is_excluded(program, where, call) for where, call in (free[:2], free[2:]))


def _pairs(program: Program, function: FunctionFacts) -> Iterator[tuple[Reached, Reached]]:
    """Looks whose outcome decides about a step on the same file, the first look for each step."""
    paths = program.awaits.paths(function)
    steps = list(reached(program, function, depth=1))
    looks: dict[str, list[Reached]] = {}
    for step in steps:
        if step.call.verb is FileVerb.CHECK and _is_asked(function, step):
            looks.setdefault(step.key, []).append(step)
    for use in steps if looks else ():
        if use.call.verb not in _BREAKS | _MINDS or _is_of_a_lock(use.call):
            continue
        for check in looks.get(use.key, ()):
            first, last = check.call.at, use.call.at
            same = first < last and not _is_made_between(steps, check, use)
            if same and paths.decided_by(first, last) and paths.reaches(first, last):
                yield check, use
                break


def _is_made_between(steps: list[Reached], check: Reached, use: Reached) -> bool:
    """True if the function has made the file itself since the look: what it removes is its own."""
    removes = use.call.verb is FileVerb.REMOVE
    return removes and any(
        step.call.verb in _OWN and step.key == use.key and check.call.at < step.call.at < use.call.at
        for step in steps
    )


_OWN = frozenset({FileVerb.WRITE, FileVerb.TOUCH, FileVerb.CREATE, FileVerb.MAKE})


def _is_of_a_lock(use: FileCall) -> bool:
    """Who makes and removes lock files is another matter; who reads one finds it gone as any other file."""
    return use.verb not in {FileVerb.READ, FileVerb.STAT} and LOCK_PATH.search(use.path) is not None


def _is_asked(function: FunctionFacts, look: Reached) -> bool:
    """True if the answer decides something here; a helper that only looks is asked for nothing else."""
    if look.by is function:
        return look.call.tested
    return all(call.verb is FileVerb.CHECK for call in look.by.files)


def _remover(
    program: Program, names: FileNames, function: FunctionFacts, use: FileCall, *, runs: bool
) -> tuple[FunctionFacts, FileCall] | None:
    """Where the module itself takes away the file, or files of its directory, that is read here.

    A function that two run at the same time does so itself.
    """
    ours = names.of(function, use)
    if use.verb not in {FileVerb.READ, FileVerb.STAT} or not ours:
        return None
    beside = runs or is_crowded(program, function)
    if use.verb is FileVerb.STAT and not beside:
        return None  # who asks for an age works most often where nobody else does
    for other in function.module.functions:
        for call in other.files:
            removes = call.verb in _TAKES and (other is not function or beside) and not _is_rmdir(other, call)
            if removes and _TAKES[call.verb](ours, names.of(other, call)):
                return other, call
    return None


def _is_rmdir(function: FunctionFacts, call: FileCall) -> bool:
    """True for what takes away an empty directory: there is no file in it that somebody could read."""
    event = function.events[call.at]
    return isinstance(event, Call) and event.method == "rmdir"


_TAKES = {FileVerb.REMOVE: may_be_same_file, FileVerb.CLEAR: may_be_same_file, FileVerb.RENAME: same_file}
"""What is renamed within a directory is most often a draft, and no file that others look for."""


def _is_taken_by_one(common: CommonPaths, function: FunctionFacts, use: FileCall) -> bool:
    """True for what is moved from a place that all runs have in common: the second one finds nothing to move."""
    return bool(use.destination) and any(
        call.at == use.at and call.verb is FileVerb.RENAME and common.is_common(function, call.value)
        for call in function.files
    )


def _is_met(program: Program, function: FunctionFacts, use: FileCall, *, runs: bool) -> bool:
    """True if two are known to come to the file: runs that all have it, or work that runs beside itself."""
    if is_crowded(program, function) or is_met_in(program, function, use.path):
        return True
    return runs and not is_alone_at_it(function, use)


def _beside_remover(
    program: Program,
    function: FunctionFacts,
    pair: tuple[FileCall, FileCall],
    remover: FunctionFacts,
    *,
    runs: bool,
) -> Sureness:
    """Where the program itself removes the file elsewhere."""
    check, use = pair
    if is_constructor(remover):
        return FileDoubt.IN_CONSTRUCTOR.possible
    if raises_alike(program, function, check, use):
        return FileDoubt.RAISES_ALIKE.possible
    if not runs and _goes_over_directory(function, use) and not _run_in_threads(program, function, remover):
        return FileDoubt.OWN_PATH.possible
    by_hand = is_command(function) if not runs else is_alone_at_it(function, use)
    return FileDoubt.BY_HAND.possible if by_hand else FileDoubt.REMOVED_MEANWHILE.likely


def _goes_over_directory(function: FunctionFacts, use: FileCall) -> bool:
    """True for `for path in folder.iterdir(): ...`: who keeps a folder in order most often has it alone."""
    place = use.value.place
    return place is not None and listed_directory(function, place.root) is not None


def _run_in_threads(program: Program, *functions: FunctionFacts) -> bool:
    return any(program.contexts.all(function) for function in functions)


def _alone(
    program: Program, names: FileNames, function: FunctionFacts, pair: tuple[FileCall, FileCall], *, runs: bool
) -> Sureness:
    use = pair[1]
    breaks = use.verb in _BREAKS
    if breaks and not is_named_anew(program, names, function, use.value):
        return _confidence(program, function, use, runs=runs)
    if is_claimed(program, function, *pair) and _is_met(program, function, use, runs=runs):
        return FileDoubt.REFUSED.likely
    return FileDoubt.NAMED_ANEW.possible if breaks else FileDoubt.NOT_BROKEN.possible


def _confidence(program: Program, function: FunctionFacts, use: FileCall, *, runs: bool) -> Sureness:
    """Making is what every start of a program does; removing is most often for whoever owns the file.

    A helper is called with paths of their own by those who run at the same time.
    """
    if runs and not is_alone_at_it(function, use):
        return FileDoubt.OTHER_RUN.likely
    if is_by_hand(function, use):
        return FileDoubt.BY_HAND.possible
    if is_met_in(program, function, use.path):
        return CERTAIN
    if function.module.claims_processes:
        return FileDoubt.SAID_SO.likely
    if is_crowded(program, function):
        if not is_lasting(function, use.path) and not any(callers_of(program, function)):
            return CERTAIN
        if is_below_lasting(function, use.value):
            return FileDoubt.BELOW_LASTING.likely
    made = use.verb is FileVerb.MAKE and is_prepared_for_all(function, use)
    return FileDoubt.PREPARED_FOR_ALL.likely if made else FileDoubt.OWN_PATH.possible
