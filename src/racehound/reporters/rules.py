"""The table of rules."""

import re
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from racehound.model.rule import RuleMeta
from racehound.reporters.console import captured


def table(rules: Sequence[RuleMeta], *, width: int, color: bool) -> str:
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("code", "name", "severity", "accuses"):
        drawn.add_column(name, no_wrap=name == "code", overflow="fold")
    for meta in rules:
        drawn.add_row(meta.code, meta.name, meta.severity.value, _general(meta.summary))
    return captured([drawn], width=width, color=color)


def _general(summary: str) -> str:
    """The message template without its fields."""
    return re.sub(r"\{(\w+)\}", lambda match: match.group(1).replace("_", " "), summary)
