"""A temporary file has a name that everybody can know.

Two runs of the program write the same file in the common temporary directory, and each reads what the other wrote.
With one run at a time it works. Somebody else on the machine can also put a file or a link there first.
`tempfile.mktemp` has the same fault: between the making of the name and the opening of the file, another process
can take it.

Let `tempfile.NamedTemporaryFile`, `mkstemp` or `TemporaryDirectory` make name and file in one step.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.file_steps import accuse_files, is_caught
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Bind, Call, Exit, Place, Shape, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_WRITES = frozenset({FileVerb.WRITE, FileVerb.APPEND, FileVerb.MAKE, FileVerb.TOUCH})
_SHARED = ("/tmp/", "/var/tmp/")  # noqa: S108 - what to look for in the source of others


class PredictableTemporaryPath(Rule):
    meta = RuleMeta(
        code="RH402",
        name="predictable-temporary-path",
        summary="`{function}` uses a temporary path that every other run uses too",
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
        for module in program.modules:
            for function in module.functions:
                for call in function.files:
                    confidence = _confidence(program, function, call)
                    if confidence is not None:
                        trigger = (
                            f"Two runs reach `{function.name}` at the same time: both work on the same temporary "
                            "path, and the second one overwrites what the first one needs."
                        )
                        pair = ((function, call), (function, call))
                        yield accuse_files(self, program, pair, trigger, confidence)


def _confidence(program: Program, function: FunctionFacts, call: FileCall) -> Confidence | None:
    if call.verb is FileVerb.NAME:
        return Confidence.POSSIBLE if _is_elsewhere(function, call) else Confidence.CERTAIN
    if call.verb is FileVerb.MAKE and is_caught(function, call):
        return None  # meant for all runs: whoever comes second finds the directory
    known = call.verb in _WRITES and _is_predictable(program, function, call.value, depth=3)
    if known and call.verb is FileVerb.APPEND:
        return Confidence.POSSIBLE  # what others have written stays
    return Confidence.LIKELY if known else None


def _is_elsewhere(function: FunctionFacts, call: FileCall) -> bool:
    """True for `mktemp(dir=...)`, be it the third argument: a directory that need not be everybody's."""
    event = function.events[call.at]
    if not isinstance(event, Call):
        return False
    return len(event.arguments) > 2 or any(word == "dir" for word, _ in event.keywords)


def _is_predictable(program: Program, function: FunctionFacts, value: Value, depth: int) -> bool:
    """True for a fixed name in the common temporary directory, followed through variables and attributes."""
    if value.shape is Shape.CONSTANT:
        return value.name.startswith(_SHARED)
    if depth == 0:
        return False
    if value.shape is Shape.PLACE and value.place is not None:
        given = list(_values(program, function, value.place))
        return bool(given) and all(_is_predictable(program, scope, item, depth - 1) for scope, item in given)
    if value.name in {"join", "/"} and len(value.arguments) == 2:
        directory, name = value.arguments
        return name.shape is Shape.CONSTANT and _is_common(program, function, directory, depth - 1)
    if value.name in {"Path", "str"} and len(value.arguments) == 1:
        return _is_predictable(program, function, value.arguments[0], depth - 1)
    helper = program.kinds.callee(function, value.place) if value.place is not None else None
    given = list(_returned(helper)) if isinstance(helper, FunctionFacts) else []
    return bool(given) and all(_is_predictable(program, scope, item, depth - 1) for scope, item in given)


def _returned(helper: FunctionFacts) -> Iterator[tuple[FunctionFacts, Value]]:
    for event in helper.events:
        if isinstance(event, Exit) and event.kind == "return":
            yield helper, event.value


def _is_common(program: Program, function: FunctionFacts, value: Value, depth: int) -> bool:
    """True for the temporary directory itself."""
    if value.shape is Shape.CONSTANT:
        return f"{value.name}/".startswith(_SHARED)
    if value.shape is Shape.CALL and value.name == "gettempdir":
        return True
    if value.name == "Path" and value.arguments:
        return _is_common(program, function, value.arguments[0], depth)
    if value.shape is Shape.PLACE and value.place is not None and depth:
        given = list(_values(program, function, value.place))
        return bool(given) and all(_is_common(program, scope, item, depth - 1) for scope, item in given)
    return False


def _values(program: Program, function: FunctionFacts, place: Place) -> Iterator[tuple[FunctionFacts, Value]]:
    """What a variable or an attribute is given."""
    if place.root == SELF and function.owner is not None and len(place.attributes) == 1:
        yield from program.kinds.field_values(function.owner, place.attributes[0])
    elif not place.attributes and place.root in function.bound:
        for event in function.events:
            if isinstance(event, Bind) and event.name == place.root:
                yield from ((function, value) for value in event.values)
    elif not place.attributes and place.root not in function.parameters:
        body = function.module.functions[0]
        yield from ((body, value) for value in function.module.variables.get(place.root, ()))
