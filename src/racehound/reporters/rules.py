"""The table of rules."""

import json
import re
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from racehound.model.rule import RuleMeta
from racehound.reporters.console import captured


def table(rules: Sequence[RuleMeta], *, width: int, color: bool) -> str:
    drawn = _drawn("code", "name", "severity", "accuses")
    for meta in rules:
        drawn.add_row(meta.code, meta.name, meta.severity.value, _general(meta.summary))
    groups = _drawn("group", "rules")
    for name in sorted({tag for meta in rules for tag in meta.tags}):
        groups.add_row(name, " ".join(meta.code for meta in rules if name in meta.tags))
    return captured([drawn, "", groups], width=width, color=color)


def _drawn(first: str, *names: str) -> Table:
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    drawn.add_column(first, no_wrap=True)
    for name in names:
        drawn.add_column(name, no_wrap=name == "name", overflow="fold")
    return drawn


def as_json(rules: Sequence[RuleMeta]) -> str:
    listed = [
        {
            "code": meta.code,
            "name": meta.name,
            "severity": meta.severity.value,
            "groups": sorted(meta.tags),
            "accuses": _general(meta.summary),
            "race_type": meta.race_type,
            "impact": meta.impact,
            "since": meta.since,
        }
        for meta in rules
    ]
    return json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


def _general(summary: str) -> str:
    """The message template without its fields."""
    return re.sub(r"\{(\w+)\}", lambda match: match.group(1).replace("_", " "), summary)
