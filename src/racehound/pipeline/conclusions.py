"""What was concluded about each island of a program: rules run again only where one has changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from racehound.analysis.survey import Lead, Part
from racehound.model.finding import Finding
from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.results import findings_of, plain_findings
from racehound.pipeline.signatures import digest
from racehound.source.facts import ModuleFacts

_DAMAGE = (AttributeError, KeyError, TypeError, ValueError)
"""What reading raises that comes upon something else."""


class Conclusion(NamedTuple):
    findings: tuple[Finding, ...]
    """All that the rules say, in the order in which they said it."""
    asked: frozenset[tuple[str, str]]
    """Paths of modules, and the names that were looked for in them."""


class Conclusions:
    """Of an earlier hunt and of this one, by what they hang on; likewise what islands lead to."""

    def __init__(self, entries: CacheDirectory, key: str) -> None:
        self._entries = entries
        self._name = f"{key}.islands"
        self._made: dict[str, Any] = {}
        """As they are written: what was read is written as it was."""
        self._leads: dict[str, Lead] = {}
        self._known: Any = None

    def recall(self, key: str) -> Conclusion | None:
        try:
            plain = self._earlier()["conclusions"][key]
            conclusion = _conclusion(plain)
        except _DAMAGE:
            return None  # there is none, or it was not written by us
        self._made[key] = plain
        return conclusion

    def note(self, key: str, conclusion: Conclusion) -> None:
        self._made[key] = {"findings": plain_findings(conclusion.findings), "asked": sorted(conclusion.asked)}

    def recall_lead(self, part: Part, outside: str) -> Lead | None:
        try:
            missed, shared, asked, joined = self._earlier()["leads"][island_key(part, outside)]
            return Lead(frozenset(missed), frozenset(shared), _pairs(asked), _pairs(joined))
        except _DAMAGE:
            return None

    def note_lead(self, part: Part, outside: str, lead: Lead) -> None:
        self._leads[island_key(part, outside)] = lead

    def _earlier(self) -> Any:
        if self._known is None:
            self._known = self._entries.read(self._name) or {}
        return self._known

    def keep(self) -> None:
        leads = {key: [sorted(part) for part in lead] for key, lead in self._leads.items()}
        self._entries.write(self._name, {"conclusions": self._made, "leads": leads})


def island_key(modules: Iterable[ModuleFacts], outside: str) -> str:
    """Of the texts of its modules, and of what else its survey hangs on, see `Leads.outside`."""
    texts = [(module.path, module.measure.digest) for module in modules]
    return digest(json.dumps([texts, outside]).encode())


def _conclusion(data: Mapping[str, Any]) -> Conclusion:
    return Conclusion(findings_of(data["findings"]), _pairs(data["asked"]))


def _pairs(data: Iterable[Sequence[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((path, name) for path, name in data)
