"""A file is read, changed and written back, and nothing keeps other processes out.

Two processes read the same old content; each writes its own change; the second write undoes the first. A command
that stores a setting loses one in this way as soon as two of them run at the same time. Replacing the file
atomically does not help: both replacements are whole, and one is lost.

Hold a lock between processes (`fcntl.flock`, a lock file made with `O_EXCL`) from the reading to the writing.
"""

import re
from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.by_hand import is_alone_at_it, is_by_hand
from racehound.rules.files.common_paths import CommonPaths
from racehound.rules.files.file_names import FileNames
from racehound.rules.files.file_reach import Reached, doing, reached
from racehound.rules.files.file_steps import (
    LOCK_PATH,
    accuse_files,
    is_excluded,
    is_lasting,
    is_own,
    takes_file_lock,
)
from racehound.rules.files.first_content import is_read_if_there
from racehound.rules.files.parsed_files import makes_sense_of
from racehound.rules.files.settings_files import is_named_for_settings
from racehound.rules.rule import Rule
from racehound.source.events import CHANGES, Action, Call, Touch
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb


class UnlockedFileUpdate(Rule):
    meta = RuleMeta(
        code="RH405",
        name="unlocked-file-update",
        summary="`{function}` reads `{path}` and writes it back without a lock between processes",
        severity=Severity.WARNING,
        race_type="Read-Modify-Write",
        impact="Lost update: of two changes made at the same time, only one remains in the file.",
        since="0.1.0",
        tags=frozenset({"files"}),
    )
    bad = (
        Bad("""
            import json

            SETTINGS = "settings.json"

            def set_option(key, value):
                with open(SETTINGS) as file:
                    settings = json.load(file)
                settings[key] = value
                with open(SETTINGS, "w") as file:  # RH
                    json.dump(settings, file)
            """),
        Bad(
            """
            import json

            class Settings:
                def _load(self):
                    return json.loads(self.path.read_text())

                def _save(self, values):
                    self.path.write_text(json.dumps(values))

                def set(self, key, value):
                    values = self._load()
                    values[key] = value
                    self._save(values)  # RH
            """,
            is_possible=True,
        ),
    )
    good = (
        Good("""
            import fcntl
            import json

            SETTINGS = "settings.json"

            def set_option(key, value):
                with open("settings.guard", "a") as guard:
                    fcntl.flock(guard, fcntl.LOCK_EX)
                    with open(SETTINGS) as file:
                        settings = json.load(file)
                    settings[key] = value
                    with open(SETTINGS, "w") as file:
                        json.dump(settings, file)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        common = CommonPaths(program, FileNames(program))
        updates = {
            function: found for function in doing(program, _READS, _WRITES) for found in _update(program, function)
        }
        for function, (read, write) in updates.items():
            helper = _called_at(program, function, write.call.at)
            if helper is None or helper not in updates:
                yield self._accuse(program, common, function, (read, write))

    def _accuse(
        self, program: Program, common: CommonPaths, function: FunctionFacts, pair: tuple[Reached, Reached]
    ) -> Finding:
        read, write = pair
        path = write.call.path
        runs = common.is_common(function, write.call.value) or common.is_common(write.by, write.own.value)
        who = "runs of the program reach" if runs else "processes run"
        trigger = (
            f"Two {who} `{function.name}`: both read `{path}` before either writes, and the second "
            "write undoes the change of the first."
        )
        again = runs and _is_read_again(program, function, pair) and not is_alone_at_it(function, write.call)
        kept = is_named_for_settings(function, write.call) and not is_alone_at_it(function, write.call)
        sure = again or (kept and makes_sense_of(read.by, read.own)) or _meets_others(program, function, pair)
        confidence = FileDoubt.UPDATED_AT_ONCE.likely if sure else _doubt(function, pair).possible
        steps = ((function, write.call), (function, read.call))
        return accuse_files(self, program, steps, trigger, confidence, runs=runs)


_COMMON = re.compile(
    r"cach|token|pid|session|stat(e|us)|cred|cookie|histor|queue|index|setting|(?<![a-z])db", re.IGNORECASE
)
"""Files that a program writes as it goes on; others are changed by whoever runs a command."""


def _doubt(function: FunctionFacts, pair: tuple[Reached, Reached]) -> FileDoubt:
    """Why nothing says that two come to the file, or that the one who comes second keeps what he read."""
    read, write = pair
    if is_by_hand(function, write.call) or is_alone_at_it(function, write.call):
        return FileDoubt.BY_HAND
    return FileDoubt.OWN_FILE if makes_sense_of(read.by, read.own) else FileDoubt.READ_AS_TEXT


def _is_read_again(program: Program, function: FunctionFacts, pair: tuple[Reached, Reached]) -> bool:
    """True if each run reads the file, or makes sense of it; what is read where it is there may be made once."""
    read, write = pair
    sure = program.awaits.paths(function).is_sure_before(read.call.at, write.call.at)
    return sure or makes_sense_of(read.by, read.own)


def _meets_others(program: Program, function: FunctionFacts, pair: tuple[Reached, Reached]) -> bool:
    read, write = pair
    if not is_lasting(function, write.call.path) or is_by_hand(function, write.call):
        return False
    if any(context.many for context in program.contexts.all(function)):
        return True
    busy = _COMMON.search(write.call.path) is not None or bool(program.contexts.all(function))
    return busy and makes_sense_of(read.by, read.own)


_READS = frozenset({FileVerb.READ})
_WRITES = frozenset({FileVerb.WRITE, FileVerb.RENAME})


def _update(program: Program, function: FunctionFacts) -> Iterator[tuple[Reached, Reached]]:
    """The first read of a file that the function writes afterwards, and that write."""
    steps = [step for step in reached(program, function) if step.by is function or not takes_file_lock(step.by)]
    for write in steps:
        read = _read_before(program, function, steps, write)
        if read is not None:
            yield read, write
            return


def _called_at(program: Program, function: FunctionFacts, index: int) -> FunctionFacts | None:
    event = function.events[index] if index < len(function.events) else None
    return program.calls.target(function, event) if isinstance(event, Call) else None


def _read_before(
    program: Program, function: FunctionFacts, steps: list[Reached], write: Reached
) -> Reached | None:
    call = write.call
    if call.verb is not FileVerb.WRITE or is_own(call.path) or LOCK_PATH.search(call.path):
        return None
    paths = program.awaits.paths(function)
    for read in steps:
        if read.call.verb is not FileVerb.READ or read.key != write.key or read.call.at == call.at:
            continue
        sure = paths.is_sure_before(read.call.at, call.at)
        if sure or (paths.reaches(read.call.at, call.at) and is_read_if_there(program, function, read.call)):
            if not _is_written_back(function, read, write) or is_excluded(program, function, read.call, call):
                return None
            return read
    return None


def _is_written_back(function: FunctionFacts, read: Reached, write: Reached) -> bool:
    """True if what is written may hold what was read: it is handed over, or an attribute keeps it meanwhile."""
    event = function.events[write.call.at] if write.by is not function else None
    if not isinstance(event, Call) or any(value.place != write.call.value.place for value in event.arguments):
        return True
    filled = {touch.place for touch in read.by.events if isinstance(touch, Touch) and touch.action is Action.WRITE}
    told = {touch.place for touch in write.by.events if isinstance(touch, Touch)}
    changed = {touch.place for touch in function.events if isinstance(touch, Touch) and touch.action in CHANGES}
    return read.by is not function and not filled.isdisjoint(told & changed)
