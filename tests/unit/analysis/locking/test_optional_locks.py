"""A lock that the caller may switch off guards the section all the same."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.source.events import Call
from racehound.source.module import SourceModule

SECTION = """
    import threading

    LOCK = threading.Lock()

    def append(items, lock=True):
        TAKE
        try:
            work(items)
        finally:
            GIVE
    """


@pytest.mark.parametrize(
    ("take", "give", "held"),
    [
        ("if lock: LOCK.acquire()", "if lock: LOCK.release()", True),
        ("if lock: LOCK.acquire()", "pass", False),
        ("if len(items) > 1: LOCK.acquire()", "if len(items) > 1: LOCK.release()", False),
        ("if lock: work(LOCK.acquire())", "if lock: LOCK.release()", False),
    ],
)
def test_section_between_two_branches_on_a_name_is_locked(take: str, give: str, held: bool) -> None:
    text = dedent(SECTION).replace("TAKE", take).replace("GIVE", give)
    program = Program.of(SourceModule.from_text(text, "app.py"))
    (function,) = (item for item in program.modules[0].functions if item.name == "append")
    calls = {
        event.method: index
        for index, event in enumerate(function.events)
        if isinstance(event, Call) and event.span.line == 9
    }

    assert bool(program.locksets.within(function)[calls["work"]]) is held
