"""The rules, found by file name: adding `rh<number>_<smell>.py` is the registration."""

import difflib
import inspect
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
    near = [meta.code for meta in metas if _differs_by_a_letter(meta.code, text.upper())][:3]
    near = near or difflib.get_close_matches(text.upper(), known, cutoff=0.5)
    near = near or difflib.get_close_matches(text.lower(), known, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else "`racehound rules` lists them all"


def _differs_by_a_letter(code: str, text: str) -> bool:
    return len(code) == len(text) and sum(map(operator.ne, code, text)) == 1
