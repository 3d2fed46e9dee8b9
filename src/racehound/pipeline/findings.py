"""A finding that an earlier hunt has written down as JSON, as a target: `findings.json::FINGERPRINT`.

The finding says at which lines the two operations stand; the functions around these lines are raced against each
other before everything else.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from racehound.errors import UsageError

_FIELD = re.compile(r"`(?:self|cls)\.(\w+)|`(\w+)`")
SHOWN = 6
"""Fingerprints that a message names."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Accused:
    """What a finding is about, as far as its JSON and the file tell."""

    path: Path
    class_name: str | None
    functions: tuple[str, ...]
    """Those that are called from outside."""
    pair: tuple[str, str] | None
    """The two that can meet, if both are."""
    fields: tuple[str, ...]


def accused_by(place: Path, fingerprint: str) -> Accused:
    """What the finding with that fingerprint accuses, or the only one there is."""
    finding = _chosen(place, fingerprint)
    path = Path(str(finding.get("path")))
    around = _around(path, list(_lines(finding)))
    if not around:
        raise UsageError(
            f"{path}:{finding.get('line')} is in no function", hint="hunt again: the file has changed"
        )
    owner = around[0][0]
    names = [name for kind, name in around if kind == owner]
    first, second = (names * 2)[:2]
    functions = tuple(dict.fromkeys(name for name in names if _is_public(name)))
    pair = (first, second) if {first, second} <= set(functions) else None
    return Accused(path, owner, functions, pair, _fields(str(finding.get("message"))))


def _is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _chosen(place: Path, fingerprint: str) -> Mapping[str, object]:
    found = [each for each in _findings(place) if str(each.get("fingerprint")).startswith(fingerprint)]
    if len(found) == 1:
        return found[0]
    known = [str(each.get("fingerprint")) for each in found or _findings(place)]
    hint = f"write {place}::FINGERPRINT with one of {', '.join(known[:SHOWN])}" if known else "hunt again"
    said = f"{len(found)} findings" if found else "no such finding" if fingerprint else "no findings"
    raise UsageError(f"{place} has {said}", hint=hint)


def _findings(place: Path) -> list[Mapping[str, object]]:
    try:
        report = json.loads(place.read_bytes())
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror}", hint="name a file") from error
    except ValueError as error:
        raise UsageError(f"{place} is no JSON: {error}", hint="write it by hunt --format json") from error
    match report:
        case {"findings": list(findings)}:
            return [each for each in findings if isinstance(each, dict)]
    raise UsageError(f"{place} holds no findings", hint="write it by hunt --format json")


def _lines(finding: Mapping[str, object]) -> Iterator[int]:
    match finding:
        case {"line": int(line)}:
            yield line
    match finding:
        case {"path": path, "related": list(related)}:
            for each in related:
                match each:
                    case {"path": str(other), "line": int(line)} if other == path:
                        yield line


def _around(path: Path, lines: list[int]) -> list[tuple[str | None, str]]:
    """For each line the class and the function that it is in."""
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="prove where you hunted") from error
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as Python: {error}") from error
    places = list(_functions(tree.body, ()))
    return [name for line in lines for first, last, name in places if first <= line <= last]


def _functions(
    scope: list[ast.stmt], owners: tuple[str, ...]
) -> Iterator[tuple[int, int, tuple[str | None, str]]]:
    for node in scope:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, (*owners, node.name))
        elif isinstance(node, Function):
            yield node.lineno, node.end_lineno or node.lineno, (".".join(owners) or None, node.name)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _functions(node.body, owners)


def _fields(message: str) -> tuple[str, ...]:
    """The attribute or global that the message begins with."""
    found = _FIELD.search(message)
    return () if found is None else (found[1] or found[2],)
