"""What a function does to files through helpers that it gives a path to."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.file_steps import is_caught
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb


def handed_to_helpers(program: Program, function: FunctionFacts) -> Iterator[FileCall]:
    """Reads by functions of the same module of the files that this one looks for, where the calls stand."""
    looked = {call.value.place: call for call in function.files if call.verb is FileVerb.CHECK and call.tested}
    for index, event in enumerate(function.events) if looked else ():
        if not isinstance(event, Call):
            continue
        given = [(at, looked[item.place]) for at, item in enumerate(event.arguments) if item.place in looked]
        target = program.calls.target(function, event) if given else None
        if target is None or target.module is not function.module or target is function:
            continue
        names = target.parameters[1:] if target.is_method else target.parameters
        for at, look in given:
            if at < len(names) and _reads(target, names[at]):
                yield look._replace(verb=FileVerb.READ, at=index, span=event.span, tested=False)


def _reads(function: FunctionFacts, parameter: str) -> bool:
    """True if it opens the file to read, and does not reckon with one that is gone."""
    return parameter not in function.bound and any(
        call.verb is FileVerb.READ and call.path == parameter and not is_caught(function, call)
        for call in function.files
    )
