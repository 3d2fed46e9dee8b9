"""A temporary file has a name that everybody can know.

Two runs of the program write the same file in the common temporary directory, and each reads what the other wrote.
With one run at a time it works. Somebody else on the machine can also put a file or a link there first.
`tempfile.mktemp` has the same fault: between the making of the name and the opening of the file, another process
can take it. The number of the process in the name keeps runs apart, but not the threads of one run.

So has a draft beside the file that it is to replace, if every run gives it the same name: `config.json.tmp`.

Let `tempfile.NamedTemporaryFile`, `mkstemp` or `TemporaryDirectory` choose the name and create the file in one
step.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test, is_test, lies_among_tests
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.common_drafts import common_drafts
from racehound.rules.files.common_paths import CommonPaths
from racehound.rules.files.file_names import FileNames
from racehound.rules.files.file_steps import accuse_files, is_caught
from racehound.rules.files.kernel_locks import is_locked_later, is_made_for_one
from racehound.rules.files.temporary_paths import Sameness, TemporaryPaths
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_ENDS = frozenset({FileVerb.REMOVE, FileVerb.CLEAR, FileVerb.RENAME})
_CHANGES = frozenset({FileVerb.WRITE, FileVerb.APPEND, FileVerb.MAKE, FileVerb.TOUCH}) | _ENDS


_OTHER_RUNS = "every other run uses too"


class PredictableTemporaryPath(Rule):
    meta = RuleMeta(
        code="RH402",
        name="predictable-temporary-path",
        summary="`{function}` uses a temporary path that {others}",
        severity=Severity.WARNING,
        race_type="Predictable Temporary Path",
        impact="Data corruption: two runs write to the same file, and each reads what the other wrote.",
        since="0.1.0",
        tags=frozenset({"files"}),
    )
    bad = (
        Bad("""
            import json

            def remember(state):
                with open("/tmp/state.json", "w") as file:  # RH
                    json.dump(state, file)
            """),
        Bad("""
            import os
            import tempfile

            SCRATCH = os.path.join(tempfile.gettempdir(), "render.png")

            def render(image):
                with open(SCRATCH, "wb") as file:  # RH
                    file.write(image)
            """),
    )
    good = (
        Good("""
            import json
            import tempfile

            def remember(state):
                with tempfile.NamedTemporaryFile("w", delete=False) as file:
                    json.dump(state, file)
                return file.name
            """),
        Good("""
            import os
            import tempfile

            def render(image):
                path = os.path.join(tempfile.mkdtemp(), "render.png")
                with open(path, "wb") as file:
                    file.write(image)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        names = FileNames(program)
        paths, common = TemporaryPaths(program, names), CommonPaths(program, names)
        for module in program.modules:
            for function in module.functions:
                for call in function.files:
                    yield from self._temporary(program, paths, function, call)
                for write, rename in common_drafts(program, common, function):
                    yield self._draft(program, function, write, rename)

    def _temporary(
        self, program: Program, paths: TemporaryPaths, function: FunctionFacts, call: FileCall
    ) -> Iterator[Finding]:
        known = paths.of(function, call.value) if call.verb in _CHANGES else None
        confidence = _confidence(program, function, call, known)
        if confidence is not None and call.verb is FileVerb.NAME:
            yield self._drawn(function, call, confidence)
        elif confidence is not None:
            numbered = known is Sameness.NUMBERED
            who, others = (
                ("Two threads of one run", "every thread of the run uses too")
                if numbered
                else ("Two runs", _OTHER_RUNS)
            )
            trigger = (
                f"{who} reach `{function.name}` at the same time: both work on the same temporary "
                "path, and the second one overwrites what the first one needs."
            )
            pair = ((function, call), (function, call))
            yield accuse_files(self, program, pair, trigger, confidence, others=others)

    def _drawn(self, function: FunctionFacts, call: FileCall, confidence: Sureness) -> Finding:
        """A name that was free when it was made up."""
        used = next(
            (item for item in function.files if item.at > call.at and item.verb is not FileVerb.NAME), None
        )
        first, second = (
            Step(
                function=function,
                span=span,
                action=action,
                target=call.path,
                context=f"any process that calls `{function.name}`",
            )
            for span, action in (
                (call.span, call.verb.value),
                ((used or call).span, used.verb.value if used is not None else "does not create"),
            )
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` picks a free name; before it creates the file, another process creates a file "
                "or a link of that name: what follows goes to a file of somebody else."
            ),
            confidence=confidence,
            impact="Data corruption or worse: what is written goes to a file that somebody else has created.",
        )
        return report(self, incident, function=function.name, others="anybody may create first")

    def _draft(self, program: Program, function: FunctionFacts, write: FileCall, rename: FileCall) -> Finding:
        trigger = (
            f"Two runs reach `{function.name}` at the same time: both write `{write.path}`; the first one renames "
            "what the second one has only begun, and the second one finds nothing to rename."
        )
        pair = ((function, write), (function, rename))
        return accuse_files(
            self, program, pair, trigger, FileDoubt.OTHER_RUN.likely, runs=True, others=_OTHER_RUNS
        )


def _confidence(
    program: Program, function: FunctionFacts, call: FileCall, known: Sameness | None
) -> Sureness | None:
    """A name with a key in it is met by who works on the same thing at the same time, as requests do.

    One with the number of the process in it is met by the threads of that process, and known to all who look.
    """
    of_test = lies_among_tests(function.module) or is_in_a_test(program.hierarchy, function)
    if call.verb is FileVerb.NAME and of_test:
        return FileDoubt.OF_TEST.possible
    if call.verb is FileVerb.NAME:
        return FileDoubt.ELSEWHERE.possible if _is_elsewhere(function, call) else CERTAIN
    if call.verb is FileVerb.MAKE and is_caught(program, function, call):
        return None  # meant for all runs: whoever comes second finds the directory
    if known is None or is_locked_later(function, call) or is_made_for_one(function, call):
        return None
    if call.verb is FileVerb.APPEND:
        return FileDoubt.APPENDS.possible
    if call.verb in _ENDS and is_test(function.module):
        return FileDoubt.TEST_CLEANS.possible
    if known in _MET:
        return _MET[known].likely
    met = any(context.many for context in program.contexts.all(function))
    if known is Sameness.NUMBERED:
        return FileDoubt.NAME_WITH_NUMBER.likely if met else FileDoubt.NAME_WITH_NUMBER.possible
    return FileDoubt.NAME_WITH_KEY.likely if met else FileDoubt.NAME_WITH_KEY.possible


_MET = {Sameness.FIXED: FileDoubt.SAME_NAME, Sameness.TIMED: FileDoubt.NAME_WITH_TIME}


def _is_elsewhere(function: FunctionFacts, call: FileCall) -> bool:
    """True for `mktemp(dir=...)`, be it the third argument: a directory that need not be everybody's."""
    event = function.events[call.at]
    if not isinstance(event, Call):
        return False
    return len(event.arguments) > 2 or any(word == "dir" for word, _ in event.keywords)
