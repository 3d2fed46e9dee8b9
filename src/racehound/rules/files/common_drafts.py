"""Drafts that are renamed when they are complete, under a name that every run gives to its own."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.files.by_hand import is_alone_at_it
from racehound.rules.files.common_paths import CommonPaths
from racehound.rules.files.file_reach import spelled
from racehound.rules.files.file_steps import is_caught, is_excluded
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb


def common_drafts(
    program: Program, common: CommonPaths, function: FunctionFacts
) -> Iterator[tuple[FileCall, FileCall]]:
    """Where a draft is written, and where it is renamed."""
    renames = [call for call in function.files if call.verb is FileVerb.RENAME]
    for write in function.files if renames else ():
        if write.verb is not FileVerb.WRITE or not common.is_common(function, write.value):
            continue
        rename = next((call for call in renames if call.at > write.at and _is_same(write, call)), None)
        if rename is None or is_caught(program, function, rename) or is_alone_at_it(function, write):
            continue
        if not is_excluded(program, function, write, rename):
            yield write, rename


def _is_same(write: FileCall, rename: FileCall) -> bool:
    return spelled(write.value) == spelled(rename.value) != ""
