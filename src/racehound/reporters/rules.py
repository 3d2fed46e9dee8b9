"""The table of rules."""

import json
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from racehound.model.rule import RuleText
from racehound.reporters.console import captured


def table(rules: Sequence[RuleText], *, width: int, color: bool) -> str:
    drawn = _drawn("code", "name", "severity", "accuses")
    for rule in rules:
        drawn.add_row(rule.meta.code, rule.meta.name, rule.meta.severity.value, rule.gist)
    groups = _drawn("group", "rules")
    metas = [rule.meta for rule in rules]
    for name in sorted({tag for meta in metas for tag in meta.tags}):
        groups.add_row(name, " ".join(meta.code for meta in metas if name in meta.tags))
    return captured([drawn, "", groups], width=width, color=color)


def _drawn(first: str, *names: str) -> Table:
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    drawn.add_column(first, no_wrap=True)
    for name in names:
        drawn.add_column(name, no_wrap=name == "name", overflow="fold")
    return drawn


def as_json(rules: Sequence[RuleText]) -> str:
    listed = [
        {
            "code": rule.meta.code,
            "name": rule.meta.name,
            "severity": rule.meta.severity.value,
            "groups": sorted(rule.meta.tags),
            "accuses": rule.gist,
            "race_type": rule.meta.race_type,
            "impact": rule.meta.impact,
            "since": rule.meta.since,
        }
        for rule in rules
    ]
    return json.dumps(listed, indent=2, ensure_ascii=False) + "\n"
