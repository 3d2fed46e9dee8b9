"""A file is read, changed and written back, and nothing keeps other processes out.

Two processes read the same old content; each writes its own change; the second write undoes the first. A command
that stores a setting loses one in this way as soon as two of them run at the same time. Replacing the file
atomically does not help: both replacements are whole, and one is lost.

Hold a lock between processes (`fcntl.flock`, a lock file made with `O_EXCL`) from the reading to the writing.
"""

import re
from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.by_hand import is_by_hand
from racehound.rules.file_steps import LOCK_PATH, accuse_files, is_excluded, is_lasting, is_own, takes_file_lock
from racehound.rules.first_content import is_read_if_there
from racehound.rules.parsed_files import makes_sense_of
from racehound.rules.rule import Rule
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb


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
        Bad("""
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
            """),
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
        for module in program.modules:
            working = frozenset(function.name for function in module.functions if function.files)
            updates = {
                function: found
                for function in (module.functions if working else ())
                if (found := _update(program, function, working)) is not None
            }
            for function, (read, write) in updates.items():
                helper = _called_at(program, function, write.at)
                if helper is None or helper not in updates:
                    yield self._accuse(program, function, read, write)

    def _accuse(self, program: Program, function: FunctionFacts, read: FileCall, write: FileCall) -> Finding:
        trigger = (
            f"Two processes run `{function.name}`: both read `{write.path}` before either writes, and the second "
            "write undoes the change of the first."
        )
        lasting = is_lasting(function, write.path) and not is_by_hand(function, write)
        busy = _COMMON.search(write.path) is not None or bool(program.contexts.all(function))
        sure = lasting and busy and _is_data(program, function, read)
        confidence = Confidence.LIKELY if sure else Confidence.POSSIBLE
        return accuse_files(self, program, ((function, write), (function, read)), trigger, confidence)


_COMMON = re.compile(
    r"cach|token|pid|session|stat(e|us)|cred|cookie|histor|queue|index|setting|(?<![a-z])db", re.IGNORECASE
)
"""Files that a program writes as it goes on; others are changed by whoever runs a command."""


def _is_data(program: Program, function: FunctionFacts, read: FileCall) -> bool:
    """True for entries that are changed one by one; lines of a text are most often changed by hand."""
    helper = _called_at(program, function, read.at)
    return makes_sense_of(function, read) or (helper is not None and makes_sense_of(helper, read._replace(at=0)))


def _update(
    program: Program, function: FunctionFacts, working: frozenset[str]
) -> tuple[FileCall, FileCall] | None:
    """The first read of a file that the function writes afterwards, and that write."""
    steps = list(_steps(program, function, working))
    for write in steps:
        read = _read_before(program, function, steps, write)
        if read is not None:
            return read, write
    return None


def _called_at(program: Program, function: FunctionFacts, index: int) -> FunctionFacts | None:
    event = function.events[index] if index < len(function.events) else None
    return program.calls.target(function, event) if isinstance(event, Call) else None


def _read_before(
    program: Program, function: FunctionFacts, steps: list[FileCall], write: FileCall
) -> FileCall | None:
    if write.verb is not FileVerb.WRITE or is_own(write.path) or LOCK_PATH.search(write.path):
        return None
    paths = program.awaits.paths(function)
    for read in steps:
        if read.verb is not FileVerb.READ or read.path != write.path:
            continue
        sure = paths.is_sure_before(read.at, write.at)
        if sure or (paths.reaches(read.at, write.at) and is_read_if_there(program, function, read)):
            return None if is_excluded(program, function, read, write) else read
    return None


def _steps(program: Program, function: FunctionFacts, working: frozenset[str]) -> Iterator[FileCall]:
    """Reads and writes by the function, and by those of its own class or module that it calls."""
    yield from _own_steps(function)
    for index, event in enumerate(function.events):
        if not isinstance(event, Call) or event.method not in working:
            continue
        target = program.calls.target(function, event)
        if target is None or target is function or takes_file_lock(target):
            continue
        if target.owner is function.owner and target.module is function.module:
            for call in _own_steps(target):
                writes = call.verb is FileVerb.WRITE
                if is_lasting(target, call.path) and (not writes or event.arguments):
                    yield call._replace(at=index, span=event.span)


def _own_steps(function: FunctionFacts) -> Iterator[FileCall]:
    for call in function.files:
        if call.verb is FileVerb.RENAME:
            yield call._replace(verb=FileVerb.WRITE, path=call.destination)
        else:
            yield call
