"""What was concluded about each island of a program: rules run again only where one has changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from racehound.model.finding import Finding
from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.results import findings_of, plain_findings
from racehound.pipeline.signatures import digest
from racehound.source.facts import ModuleFacts


class Conclusion(NamedTuple):
    findings: tuple[Finding, ...]
    """All that the rules say, in the order in which they said it."""
    asked: frozenset[tuple[str, str]]
    """Paths of modules, and the names that were looked for in them."""


class Conclusions:
    """Of an earlier hunt and of this one, by what they hang on."""

    def __init__(self, entries: CacheDirectory, key: str) -> None:
        self._entries = entries
        self._name = f"{key}.islands"
        self._made: dict[str, Conclusion] = {}
        self._known: Any = None

    def recall(self, key: str) -> Conclusion | None:
        if self._known is None:
            self._known = self._entries.read(self._name) or {}
        try:
            return _conclusion(self._known[key])
        except (AttributeError, KeyError, TypeError, ValueError):
            return None  # there is none, or it was not written by us

    def note(self, key: str, conclusion: Conclusion) -> None:
        self._made[key] = conclusion

    def keep(self) -> None:
        made = {
            key: {"findings": plain_findings(item.findings), "asked": sorted(item.asked)}
            for key, item in self._made.items()
        }
        self._entries.write(self._name, made)


def island_key(modules: Iterable[ModuleFacts], paths: Sequence[str]) -> str:
    """Of the texts of its modules, and of the paths of all files: names are looked up among these."""
    texts = [(module.path, digest(module.text.encode("utf-8", "surrogatepass"))) for module in modules]
    return digest(json.dumps([texts, paths]).encode())


def _conclusion(data: Mapping[str, Any]) -> Conclusion:
    return Conclusion(findings_of(data["findings"]), frozenset((path, name) for path, name in data["asked"]))
