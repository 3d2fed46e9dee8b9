"""Findings that their authors have answered, and answers to nothing."""

from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.locking.declared_locks import fault_of
from racehound.errors import UsageError
from racehound.model.finding import Finding
from racehound.model.report import INVALID, MISDECLARED, UNUSED, Diagnostic
from racehound.rules.registry import all_rules, suggestion
from racehound.rules.rule import Rule
from racehound.rules.selection import check_selector, rules_of
from racehound.source.facts import ModuleFacts
from racehound.source.suppressions import Suppression


class Silence:
    """What the comments of the program silence; `rules` are those that ran, of others nothing can be said."""

    def __init__(self, modules: Iterable[ModuleFacts], rules: Sequence[Rule]) -> None:
        said = [module for module in modules if module.suppressions or module.declarations]
        self._comments = {module.path: module.suppressions for module in said if module.suppressions}
        self._misdeclared = [found for module in said for found in _misdeclared(module)]
        self._ran = frozenset(rule.meta.code for rule in rules)
        self._used: set[tuple[str, Suppression, str]] = set()
        self._codes = {item.codes: _codes(item) for items in self._comments.values() for item in items}

    def covers(self, finding: Finding) -> bool:
        """Every comment that would do counts as used."""
        place = finding.location
        covered = False
        for item in self._comments.get(place.path, ()):
            if self._speaks_of(item, finding.rule) and item.reaches(place.line, place.end_line):
                self._used.add((place.path, item, finding.rule))
                covered = True
        return covered

    def _speaks_of(self, item: Suppression, rule: str) -> bool:
        if item.problem:
            return False
        return not item.codes or any(rule in codes for codes in self._codes[item.codes].values())

    def complaints(self) -> Iterator[Diagnostic]:
        """Comments that mean nothing, and those that silence nothing; ask when all findings were seen."""
        yield from self._misdeclared
        for path, items in sorted(self._comments.items()):
            for item in items:
                if item.problem:
                    yield Diagnostic(path=path, line=item.line, kind=INVALID, message=item.problem)
                elif item.codes:
                    yield from self._by_code(path, item)
                elif len(self._ran) == len(all_rules()) and not self._uses(path, item, self._ran):
                    yield _unused(path, item, "nothing is found here")

    def _by_code(self, path: str, item: Suppression) -> Iterator[Diagnostic]:
        for code, rules in self._codes[item.codes].items():
            if not rules:
                yield Diagnostic(
                    path=path, line=item.line, kind=INVALID, message=f"unknown rule: {code}; {suggestion(code)}"
                )
            elif rules <= self._ran and not self._uses(path, item, rules):
                yield _unused(path, item, f"{code} is not found here")

    def _uses(self, path: str, item: Suppression, rules: frozenset[str]) -> bool:
        return any((path, item, rule) in self._used for rule in rules)


def _misdeclared(module: ModuleFacts) -> Iterator[Diagnostic]:
    for item in module.declarations:
        if fault := fault_of(module, item):
            yield Diagnostic(path=module.path, line=item.line, kind=MISDECLARED, message=fault)


def _codes(item: Suppression) -> dict[str, frozenset[str]]:
    """The rules that each selector stands for; none where it is unknown."""
    return {code: _meant(code) for code in item.codes}


def _meant(code: str) -> frozenset[str]:
    try:
        check_selector(code)
    except UsageError:
        return frozenset()
    return frozenset(rule.meta.code for rule in rules_of(code))


def _unused(path: str, item: Suppression, reason: str) -> Diagnostic:
    return Diagnostic(path=path, line=item.line, kind=UNUSED, message=f"unused suppression: {reason}")
