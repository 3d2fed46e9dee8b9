"""A file that others read is overwritten in place.

Opening a file for writing empties it at once; the new content arrives bit by bit. Whoever reads it meanwhile finds
nothing, or half of it; if the writer is stopped half-way, that is what remains. The window is short, so it shows
under load, or after a crash.

Write to a temporary file in the same directory, and put it in place with `os.replace`: readers find the old
content or the new, never a mixture.
"""

import itertools
import re
from collections.abc import Iterator
from typing import TypeAlias

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_test
from racehound.model.doubt import Sureness
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.by_hand import is_alone_at_it, is_by_hand, is_command
from racehound.rules.files.common_paths import CommonPaths
from racehound.rules.files.doubted_reads import do_callers_expect_half, expects_half, is_best_effort
from racehound.rules.files.file_names import FileNames, same_file
from racehound.rules.files.file_steps import (
    accuse_files,
    is_crowded,
    is_lasting,
    is_single,
    names_lock,
    runs_under_file_lock,
    takes_file_lock,
)
from racehound.rules.files.given_paths import begins_with_parameter
from racehound.rules.files.kept_files import are_of_one_kept_file, is_kept, reads_before_it_is_kept
from racehound.rules.files.numbered_paths import is_numbered
from racehound.rules.files.parsed_files import makes_sense_of
from racehound.rules.files.private_files import is_named_by_caller, is_private
from racehound.rules.files.settings_files import is_of_settings, puts_into_form
from racehound.rules.rule import Rule
from racehound.source.events import Acquire, Action, Bind, Call, Exit, Place, Release, Shape, Touch
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb


class NonAtomicReplace(Rule):
    meta = RuleMeta(
        code="RH403",
        name="non-atomic-replace",
        summary="`{function}` overwrites `{path}` in place, and others read it",
        severity=Severity.WARNING,
        race_type="Non-Atomic Write",
        impact="Data corruption: a reader finds an empty or half-written file, and so does the next start.",
        since="0.1.0",
        tags=frozenset({"files"}),
    )
    bad = (
        Bad("""
            import json

            class Settings:
                def __init__(self, path):
                    self.path = path

                def load(self):
                    with open(self.path) as file:
                        return json.load(file)

                def save(self, values):
                    with open(self.path, "w") as file:  # RH
                        json.dump(values, file)
            """),
    )
    good = (
        Good("""
            import json
            import os

            class Settings:
                def __init__(self, path):
                    self.path = path

                def load(self):
                    with open(self.path) as file:
                        return json.load(file)

                def save(self, values):
                    draft = f"{self.path}.new"
                    with open(draft, "w") as file:
                        json.dump(values, file)
                    os.replace(draft, self.path)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = FileNames(program)
        common = CommonPaths(program, names)
        for module in program.modules:
            for function in module.functions:
                writes = [call for call in function.files if call.verb is FileVerb.WRITE]
                if not writes or _is_careful(function):
                    continue
                for call in _named_elsewhere(function, writes):
                    if not is_private(names, function, call) and not is_numbered(function, call):
                        yield from self._write(program, names, common, (function, call))

    def _write(
        self, program: Program, names: FileNames, common: CommonPaths, written: tuple[FunctionFacts, FileCall]
    ) -> Iterator[Finding]:
        function, call = written
        runs = common.is_common(function, call.value)
        for reader, read in _reads(names, function, call, alone=not (runs or is_crowded(program, function))):
            if program.locksets.at(function, call.at) & program.locksets.at(reader, read.at):
                return
            if runs_under_file_lock(program, function) and runs_under_file_lock(program, reader):
                return
            trigger = (
                f"`{function.name}` has emptied `{call.path}` and not yet written it when another process reads "
                f"it in `{reader.name}`."
            )
            sure = _confidence(program, written, (reader, read), runs=runs)
            yield accuse_files(self, program, (written, (reader, read)), trigger, sure, runs=runs)
            return
        if _is_read_by_others(program, function, call):
            trigger = (
                f"`{function.name}` has emptied `{call.path}` and not yet written it when another start of the "
                "program reads it, or when it is stopped itself."
            )
            yield accuse_files(
                self, program, (written, written), trigger, FileDoubt.READERS_UNSEEN.likely, runs=runs
            )


_End: TypeAlias = tuple[FunctionFacts, FileCall]

_FIRST = re.compile(r"_*init(iali[sz]e)?(_\w+)?")


def _confidence(program: Program, written: _End, read: _End, *, runs: bool) -> Sureness:
    doubt = _doubt_of_readers(program, written, read, runs=runs) or _doubt_of_harm(program, written, read)
    return FileDoubt.READ_WHILE_WRITTEN.likely if doubt is None else doubt.possible


def _is_read_by_others(program: Program, function: FunctionFacts, call: FileCall) -> bool:
    """True for settings that somebody saves: other starts read them, though nothing here does."""
    if is_test(function.module) or not is_of_settings(function, call) or not puts_into_form(function, call):
        return False
    place = call.value.place
    if call.value.shape not in {Shape.CONSTANT, Shape.PLACE} or (place and place.root in function.parameters):
        return False  # a result, or a file of whoever calls
    if begins_with_parameter(program, function, call.value):
        return False
    return not _is_first_content(program, function, call) and not is_command(function)


def _doubt_of_readers(program: Program, written: _End, read: _End, *, runs: bool) -> FileDoubt | None:
    """Where nothing says that others read the file at any time."""
    function, call = written
    if not _is_met(program, function, call, runs=runs):
        if _is_first_content(program, function, call):
            return FileDoubt.FIRST_CONTENT
        if not is_of_settings(function, call) or is_alone_at_it(function, call):
            return FileDoubt.BY_HAND
    if (runs and makes_sense_of(*read)) or is_kept(written, read):
        return None
    if not makes_sense_of(*read):
        return FileDoubt.READ_AS_TEXT
    return FileDoubt.ONE_FILE_OF_OBJECT if is_single(call) else FileDoubt.NOT_KEPT


def _doubt_of_harm(program: Program, written: _End, read: _End) -> FileDoubt | None:
    (function, call), (reader, look) = written, read
    if _is_test(function) or _is_test(reader):
        return FileDoubt.OF_TEST
    if expects_half(reader, look.at) or do_callers_expect_half(program, reader):
        return FileDoubt.EXPECTS_HALF
    if is_best_effort(function, call, reader, look):
        return FileDoubt.BEST_EFFORT
    if _only_makes(function, call):
        return FileDoubt.ONLY_MAKES
    if _calls_before(program, reader, look, function):
        return FileDoubt.WRITTEN_FIRST
    return FileDoubt.TOLD_WHEN_WRITTEN if _is_told_when_written(function, call) else None


def _is_met(program: Program, function: FunctionFacts, call: FileCall, *, runs: bool) -> bool:
    """True if readers come while it is written: others run beside it, or it is the file of all runs."""
    if _is_first_content(program, function, call):
        return is_crowded(program, function)
    return not is_alone_at_it(function, call) if runs else not (is_by_hand(function, call) or is_command(function))


def _is_first_content(program: Program, function: FunctionFacts, write: FileCall) -> bool:
    """True for a file that is written where there is none: that is so once, at the first start of all.

    One that is too old is written again and again.
    """
    if _FIRST.fullmatch(function.name):
        return True
    paths = program.awaits.paths(function)
    if any(call.verb is FileVerb.STAT and call.path == write.path for call in function.files):
        return False
    return any(
        call.verb is FileVerb.CHECK and call.path == write.path and paths.decided_by(call.at, write.at)
        for call in function.files
    )


def _is_told_when_written(function: FunctionFacts, write: FileCall) -> bool:
    """True if the function gives back the path: whoever is to read the file learns of it when it is complete."""
    place = write.value.place if write.value.shape is Shape.PLACE else None
    if place is None or place.root not in function.bound:
        return False
    later = (event for event in function.events[write.at :] if isinstance(event, Exit) and event.kind == "return")
    return any(place == value.place for event in later for value in (event.value, *event.value.arguments))


def _is_test(function: FunctionFacts) -> bool:
    """The files of a test are those of one run."""
    return outer_method(function).name.startswith(("test_", "setUp", "tearDown"))


def _only_makes(function: FunctionFacts, call: FileCall) -> bool:
    """True for `open(path, "w").close()`, and for `with open(path, "w"): pass`: there is nothing to write."""
    following = function.events[call.at + 1 : call.at + 2]
    if any(isinstance(event, Call) and event.method == "close" and not event.callee for event in following):
        return True
    block = itertools.takewhile(lambda event: not isinstance(event, Release), function.events[call.at + 1 :])
    steps = [event for event in block if not isinstance(event, Bind)]
    if steps and isinstance(steps[0], Call) and steps[0].method == "fdopen":
        steps = steps[1:]
    begins = bool(steps) and isinstance(steps[0], Acquire)
    return begins and all(isinstance(event, Call) and event.method in _IDLE for event in steps[1:])


_IDLE = frozenset({"flush", "fsync", "fileno", "close"})


def _calls_before(program: Program, reader: FunctionFacts, read: FileCall, writer: FunctionFacts) -> bool:
    """True if the reader has the file written itself, and then looks at it."""
    return any(
        isinstance(event, Call) and event.method == writer.name and program.calls.target(reader, event) is writer
        for event in reader.events[: read.at]
    )


def _is_careful(function: FunctionFacts) -> bool:
    return any(call.verb is FileVerb.RENAME for call in function.files) or _has_file_lock(function)


def _has_file_lock(function: FunctionFacts) -> bool:
    """True if the class of a function takes a lock between processes somewhere."""
    if function.owner is None:
        return takes_file_lock(function)
    return any(takes_file_lock(method) or names_lock(name) for name, method in function.owner.methods.items())


def _reads(
    names: FileNames, writer: FunctionFacts, write: FileCall, *, alone: bool
) -> Iterator[tuple[FunctionFacts, FileCall]]:
    """Where the same module reads the file: the text of its path is the same, or it is made the same way.

    A function that is not alone reads in one thread, or in one run, what it writes in another.
    """
    ours = names.of(writer, write)
    yield from reads_before_it_is_kept(writer, write)
    for function, call in names.reads_of(writer.module, ours, write.path):
        if is_private(names, function, call) or (function is writer and alone):
            continue
        if are_of_one_kept_file(writer, function) and write.path == call.path:
            yield function, call
            continue
        if is_named_by_caller(writer, write.value) and is_named_by_caller(function, call.value):
            continue
        if _is_written_alike(writer, write, function, call) or same_file(ours, names.of(function, call)):
            yield function, call


def _named_elsewhere(writer: FunctionFacts, writes: list[FileCall]) -> Iterator[FileCall]:
    """Without those whose file the object names as it writes it: others that have one know another name."""
    named: dict[Place, int] = {}
    for index, event in enumerate(writer.events) if Action.WRITE in writer.holds else ():
        if not isinstance(event, Touch) or event.action is not Action.WRITE:
            continue
        if not any(value.place is not None for value in event.values):
            named.setdefault(event.place, index)
    for write in writes:
        place = write.value.place
        if place is None or named.get(place, write.at) >= write.at:
            yield write


def _is_written_alike(writer: FunctionFacts, write: FileCall, reader: FunctionFacts, read: FileCall) -> bool:
    if write.path != read.path or not is_lasting(writer, write.path):
        return False
    return writer.owner is reader.owner or not write.path.startswith(("self.", "cls."))
