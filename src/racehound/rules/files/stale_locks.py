"""Lock files that whoever waits takes away when they look old.

Between the look at the age and the removal, another one who waits has removed the old file and made a new one:
that one is removed, and two hold the lock.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.files.file_reach import reached
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_LOOKS = frozenset({FileVerb.STAT, FileVerb.READ, FileVerb.CHECK})
_REMOVES = frozenset({FileVerb.REMOVE, FileVerb.CLEAR})


def taken_for_stale(program: Program, function: FunctionFacts) -> Iterator[tuple[FileCall, FileCall]]:
    """The look at the file that decides, and the removal, where the function makes the file in one step."""
    steps = list(reached(program, function, depth=1))
    made = {step.key for step in steps if step.call.verb is FileVerb.CREATE}
    paths = program.awaits.paths(function)
    for removal in steps:
        if removal.call.verb not in _REMOVES or removal.key not in made:
            continue
        for look in steps:
            first, last = look.call.at, removal.call.at
            asked = look.call.verb in _LOOKS and look.key == removal.key and first < last
            if asked and paths.decided_by(first, last) and not program.locksets.at(function, last):
                yield look.call, removal.call
                return
