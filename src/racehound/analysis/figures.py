"""Counts that a class keeps beside its work, for people to read: one more or less changes nothing."""

from racehound.analysis.compound import own_read
from racehound.analysis.fields import Use
from racehound.analysis.program import Program
from racehound.source.events import Action, Decision, Shape
from racehound.source.facts import ClassFacts


def is_figure(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    """True if the field is only counted up, set to nothing and told, and its class does something else as well."""
    sharing = program.shared.why(owner)
    if (sharing is not None and sharing.claims) or any(use.locks for use in uses if use.changes):
        return False  # whoever wrote it means the count to be right
    changes = [use for use in uses if use.changes]
    return (
        all(_is_counted(use) or _is_reset(use) for use in changes)
        and not any(_is_given_out(use, uses) or _decides(use) for use in uses if not use.changes)
        and _has_other_state(program, owner, uses)
    )


def begins_anew(use: Use) -> bool:
    """True for `self.count = 0` and `self.items = {}`."""
    values = use.touch.values
    return bool(values) and all(
        value.shape is Shape.CONSTANT or (value.shape is Shape.CONTAINER and not value.arguments)
        for value in values
    )


def _is_counted(use: Use) -> bool:
    """True for `self.sent += 1`, and for `self.sent += len(data)`."""
    return use.touch.action is Action.WRITE and own_read(use.function, use.index) is not None


def _is_reset(use: Use) -> bool:
    values = use.touch.values
    return bool(values) and all(value.shape is Shape.CONSTANT for value in values)


def _is_given_out(read: Use, uses: list[Use]) -> bool:
    """True if the function that counts looks at the count as well: each caller gets a number of its own."""
    feeds = any(use.function is read.function and own_read(use.function, use.index) == read.index for use in uses)
    return not feeds and any(use.function is read.function and _is_counted(use) for use in uses)


def _decides(use: Use) -> bool:
    """True if something hangs on the count, other than whether it is told."""
    if use.touch.action is Action.CHECK:
        return True
    return any(isinstance(event, Decision) and use.index in event.sources for event in use.function.events)


def _has_other_state(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    others = (item for item in program.fields.of_class(owner).values() if item is not uses)
    return any(use.changes and not _is_counted(use) and not _is_reset(use) for item in others for use in item)
