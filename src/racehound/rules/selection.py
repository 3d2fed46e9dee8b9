"""Which rules a selector stands for: a code, the beginning of codes, a name, a group, or ALL.

Of two selectors that fit a rule, the more particular one decides: `--select RH1 --ignore RH102` runs all of RH1xx
but one, `--select RH102 --ignore RH1` runs that one alone. Where both are equally particular, ignoring wins.
"""

import re
from collections.abc import Iterable
from functools import cache

from racehound.errors import UsageError
from racehound.model.rule import RuleMeta
from racehound.rules.registry import EVERYTHING, all_rules, suggestion
from racehound.rules.rule import Rule

_PREFIX = re.compile(r"RH\d{0,2}")
_UNFIT, _BY_GROUP, _BY_CODE = -1, 1, 10


@cache
def groups() -> dict[str, tuple[Rule, ...]]:
    """The rules of each group; a rule may belong to several."""
    names = sorted({tag for rule in all_rules() for tag in rule.meta.tags})
    return {name: tuple(rule for rule in all_rules() if name in rule.meta.tags) for name in names}


def selected(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules to run: all of them unless some are selected, without the ignored ones."""
    wanted, unwanted = tuple(select) or (EVERYTHING,), tuple(ignore)
    for selector in (*wanted, *unwanted):
        check_selector(selector)
    return tuple(rule for rule in all_rules() if _fit(rule, wanted) > _fit(rule, unwanted))


def rules_of(selector: str) -> tuple[Rule, ...]:
    """Every rule that one selector stands for."""
    check_selector(selector)
    return tuple(rule for rule in all_rules() if _precision(rule.meta, selector) > _UNFIT)


def check_selector(selector: str) -> None:
    """Complains of a selector that stands for no rule, and names near ones."""
    if all(_precision(rule.meta, selector) == _UNFIT for rule in all_rules()):
        raise UsageError(f"unknown rule: {selector.strip()}", hint=suggestion(selector))


def _fit(rule: Rule, selectors: tuple[str, ...]) -> int:
    return max((_precision(rule.meta, selector) for selector in selectors), default=_UNFIT)


def _precision(meta: RuleMeta, selector: str) -> int:
    """How particular the selector is about this rule; `_UNFIT` where it does not mean it."""
    text = selector.strip()
    upper, lower = text.upper(), text.lower()
    if upper == meta.code or lower == meta.name:
        return _BY_CODE
    if upper == EVERYTHING:
        return 0
    if lower in meta.tags:
        return _BY_GROUP
    return len(upper) if _PREFIX.fullmatch(upper) and meta.code.startswith(upper) else _UNFIT
