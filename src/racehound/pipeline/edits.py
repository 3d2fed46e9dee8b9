"""Edits that leave an answer as it is: nothing that was learned of the file has changed but where it stands.

The old text of the file is kept, so both states can be compared as the analysis sees them. What may differ are
comments, docstrings, layout, values that no rule looks at, and functions that only compute and that nothing speaks
of. All else is left to a new hunt.
"""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from racehound.pipeline.moving import Lost, Moves
from racehound.pipeline.reading import facts_of
from racehound.pipeline.results import Result
from racehound.source.facts import ModuleFacts
from racehound.source.inert import inert_functions
from racehound.source.likeness import Likeness
from racehound.source.module import SourceModule
from racehound.source.prefilter import base_names, is_worth_parsing


class Edit(NamedTuple):
    path: str
    """As findings name the file."""
    before: bytes
    after: bytes


def answer_after(edit: Edit, result: Result, asked: AbstractSet[str]) -> Result | None:
    """The same answer where it still stands; `asked` are names that other modules look for in the file."""
    if _is_chosen(edit.before) != _is_chosen(edit.after):
        return None
    old, new = _facts(edit, edit.before), _facts(edit, edit.after)
    if old is None or new is None or _is_annotated(old) or _is_annotated(new):
        return None
    likeness = Likeness(old, new, _aside(old, new) - asked)
    return _moved(edit, (old, new), likeness, result) if likeness.holds() else None


def _is_chosen(data: bytes) -> object:
    """What decides, before a file is parsed, whether it will be."""
    return is_worth_parsing(data) or base_names(data)


def _facts(edit: Edit, data: bytes) -> ModuleFacts | None:
    source = SourceModule.from_bytes(data, edit.path)
    facts = facts_of(source) if isinstance(source, SourceModule) else source
    return facts if isinstance(facts, ModuleFacts) else None


def _is_annotated(facts: ModuleFacts) -> bool:
    """True if comments in it speak of findings or fields: they count lines in ways of their own."""
    return bool(facts.suppressions or facts.declarations)


def _aside(old: ModuleFacts, new: ModuleFacts) -> frozenset[str]:
    """Functions that matter in neither state, in which they may be absent."""
    found = frozenset((*inert_functions(old), *inert_functions(new)))
    for facts in (old, new):
        present = {item.qualified_name for item in facts.functions} | {
            item.qualified_name for item in facts.classes
        }
        found -= present - frozenset(inert_functions(facts))
    return found


def _moved(
    edit: Edit, facts: tuple[ModuleFacts, ModuleFacts], likeness: Likeness, result: Result
) -> Result | None:
    before, after = (item.text for item in facts)
    try:
        findings = Moves(edit.path, before, after, likeness.moves()).all(result.findings)
    except Lost:
        return None
    return result._replace(findings=findings, lines=result.lines + after.count("\n") - before.count("\n"))
