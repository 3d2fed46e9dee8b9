"""One order for the locks of two objects: that of their identities, which all threads see the same."""

from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement, lines_of, parsed
from racehound.fixes.editing.nesting import Nesting, nestings
from racehound.fixes.editing.reading import Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding


class OrderInstances(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH202"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        nesting = _accused(reading, findings[0])
        reading.refuse_rebound("sorted", "id")
        reading.block(nesting.outer)
        first = reading.unused(nesting.function, "first", "first_lock")
        second = reading.unused(nesting.function, "second", "second_lock")
        editor = Editor(reading)
        editor.replace(nesting.outer_item.context_expr, first)
        editor.replace(nesting.inner_item.context_expr, second)
        outer, inner = nesting.order
        text = f"{first}, {second} = sorted(({outer}, {inner}), key=id)"
        editor.statement(nesting.outer, lambda old: _sorted_first(old, text))
        return Change(editor.text(), f"`{nesting.function.name}` takes the two locks in the order of their `id`")


def _accused(reading: Reading, finding: Finding) -> Nesting:
    place = finding.location
    for item in nestings(reading):
        expression = item.inner_item.context_expr
        if (expression.lineno, expression.col_offset + 1) == (place.line, place.column) and _are_alike(item):
            if not item.is_direct or item.outer_item is not item.outer.items[0]:
                raise CannotChange("something is done between the two locks")
            if item.outer_item.optional_vars is not None or item.inner_item.optional_vars is not None:
                raise CannotChange("a lock is given a name by its `with`")
            if type(item.outer) is not type(item.inner):
                raise CannotChange("one of the locks is entered with `async with`, the other is not")
            return item
    raise CannotChange("one of the locks is taken in a function that is called, or by hand")


def _are_alike(item: Nesting) -> bool:
    """True for `a.lock` and `b.lock`."""
    outer, inner = (text.partition(".") for text in item.order)
    return outer[0] != inner[0] and outer[2] == inner[2] != ""


def _sorted_first(old: Statement, text: str) -> list[Statement]:
    assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
    return [parsed(text).with_changes(leading_lines=lines_of(old)), old.with_changes(leading_lines=[])]
