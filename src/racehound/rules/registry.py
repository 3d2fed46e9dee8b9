"""The rules, found by file name: adding `rh<number>_<smell>.py` is the registration."""

import difflib
import inspect
import itertools
import operator
import pkgutil
from functools import cache
from importlib import import_module

from racehound import rules
from racehound.errors import UsageError
from racehound.rules.rule import Rule

EVERYTHING = "ALL"
"""Selects every rule."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """One instance of each rule, ordered by code."""
    names = (module.name for module in pkgutil.iter_modules(rules.__path__) if module.name.startswith("rh"))
    found = [_rule(f"{rules.__name__}.{name}") for name in names]
    return tuple(sorted(found, key=lambda rule: rule.meta.code))


def _rule(module_name: str) -> Rule:
    module = import_module(module_name)
    for _, item in inspect.getmembers(module, inspect.isclass):
        if issubclass(item, Rule) and item.__module__ == module_name:
            return item()
    raise LookupError(f"{module_name} defines no rule")


def rule_named(code: str) -> Rule:
    """A rule by its code or its name."""
    wanted = code.strip()
    for rule in all_rules():
        if wanted.upper() == rule.meta.code or wanted.lower() == rule.meta.name:
            return rule
    raise UsageError(f"unknown rule: {wanted}", hint=suggestion(wanted))


def suggestion(wanted: str) -> str:
    """What somebody who wrote this may have meant: a code, a name, or a group of rules."""
    metas = [rule.meta for rule in all_rules()]
    groups = sorted({tag for meta in metas for tag in meta.tags})
    known = [EVERYTHING, *groups, *(name for meta in metas for name in (meta.code, meta.name))]
    text = wanted.strip()
    near = _near_codes([meta.code for meta in metas], text.upper())
    near = near or difflib.get_close_matches(text.upper(), known, cutoff=0.5)
    near = near or difflib.get_close_matches(text.lower(), known, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else "`racehound rules` lists them all"


def _near_codes(codes: list[str], text: str) -> list[str]:
    """Three that are like the text: first those that begin like it, of these first those that end like it."""
    near = difflib.get_close_matches(text, codes, n=len(codes), cutoff=0.5)
    return sorted(near, key=lambda code: (-_in_common(code, text), -_in_common(code[::-1], text[::-1]), code))[:3]


def _in_common(one: str, other: str) -> int:
    """How many letters are the same at the beginning."""
    return sum(1 for _ in itertools.takewhile(bool, map(operator.eq, one, other)))
