"""The rules, found by file name: adding `rh<number>_<smell>.py` is the registration."""

import difflib
import inspect
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from racehound import rules
from racehound.errors import UsageError
from racehound.rules.rule import Rule


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
    raise UsageError(f"unknown rule: {wanted}", hint=_suggestion(wanted))


def selected(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules to run: all of them unless some are selected, without the ignored ones."""
    chosen = {rule_named(code) for code in select} or set(all_rules())
    dropped = {rule_named(code) for code in ignore}
    return tuple(rule for rule in all_rules() if rule in chosen and rule not in dropped)


def _suggestion(wanted: str) -> str:
    known = [name for rule in all_rules() for name in (rule.meta.code, rule.meta.name)]
    near = difflib.get_close_matches(wanted.upper(), known, cutoff=0.5) or difflib.get_close_matches(
        wanted.lower(), known, cutoff=0.5
    )
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "`racehound rules` lists them all"
