"""Hints are known one by one, also where only type checkers import their names."""

import datetime as dt
import types
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from racehound.scenario.hints import hints_of

Load = Callable[[str], types.ModuleType]

SOURCE = """
    from __future__ import annotations

    import typing
    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        import datetime
        import collections as kinds
        import missing_altogether
        from pathlib import Path
        from . import sibling
        from nowhere_at_all import Missing

    def work(a: datetime.timedelta | None, b: Missing, c: Path, d: int, e: kinds.OrderedDict, f: "1(") -> Missing:
        ...

    class Thing:
        def __init__(self, when: datetime.date, what: Missing):
            ...

    def plain(a: int) -> str:
        ...
"""


def test_hints_that_can_be_had_are_had_without_the_others(load: Load) -> None:
    module: Any = load(SOURCE)

    assert hints_of(module.work) == {"a": dt.timedelta | None, "c": Path, "d": int, "e": OrderedDict}
    assert hints_of(module.Thing) == {"when": dt.date}
    assert hints_of(module.plain) == {"a": int, "return": str}


def test_function_without_a_home_has_no_hints_that_its_names_hide() -> None:
    def work(a: int) -> None: ...

    work.__annotations__ = {"a": "Unheard"}
    work.__module__ = "nowhere"

    assert hints_of(work) == {}
