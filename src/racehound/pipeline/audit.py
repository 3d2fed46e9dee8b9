"""The verb audit: race the commands, then say where the source of the tool does what broke."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from racehound.audit.auditor import examine
from racehound.audit.programs import located, script_of
from racehound.audit.request import AuditRequest, Watch
from racehound.audit.summary import summarised
from racehound.audit.template import Pair
from racehound.model.audit import Advice, Audit
from racehound.model.finding import Confidence, Finding
from racehound.pipeline.hunt import hunt

FILE_RULES = ("RH401", "RH402", "RH403", "RH404", "RH405", "RH406")
MOST_PLACES = 8
PYTHON_SCRIPT = re.compile(rb"^#!.*python")
ENTRY_POINT = re.compile(r"^\s*from ([\w.]+) import \w+", re.MULTILINE)


def audit(request: AuditRequest, watch: Watch) -> Audit:
    """Whether the commands of the request can be called in parallel."""
    request = _from_here(request)
    found = examine(request, watch)
    audited = summarised(found, deep=request.deep)
    return replace(audited, advice=_with_places(audited))


def _from_here(request: AuditRequest) -> AuditRequest:
    """The commands as they must be written for another working directory."""
    here = Path.cwd()

    def moved(pair: Pair) -> Pair:
        return replace(
            pair,
            first=located(pair.first, here),
            second=located(pair.second, here),
            prepare=tuple(located(text, here) for text in pair.prepare),
        )

    return replace(
        request,
        pairs=tuple(moved(pair) for pair in request.pairs),
        setup=tuple(located(text, here) for text in request.setup),
        view=located(request.view, here) if request.view else None,
    )


def _with_places(audited: Audit) -> tuple[Advice, ...]:
    if not audited.advice:
        return ()
    places = tuple(_shown(finding) for finding in _findings(audited.commands))[:MOST_PLACES]
    return (replace(audited.advice[0], places=places), *audited.advice[1:])


def _shown(finding: Finding) -> str:
    return f"{finding.location}: {finding.rule} {finding.message}"


def _findings(commands: Iterable[str]) -> Iterator[Finding]:
    """What the hunt says of files in the source of the commands, as far as they are Python programs."""
    paths = list(dict.fromkeys(path for text in commands for path in sources_of(text)))
    if paths:
        # What is only possible elsewhere is likely here: the race itself has been seen.
        found, _, _ = hunt(paths, select=FILE_RULES, confidence=Confidence.POSSIBLE)
        yield from found


def sources_of(text: str) -> list[Path]:
    """The Python files of a command: its script, or the package that its entry point imports."""
    script = script_of(text)
    if script is None or not script.is_file():
        return []
    if script.suffix == ".py":
        return [script]
    head = script.read_bytes()[:4096]
    if not PYTHON_SCRIPT.match(head):
        return []
    found = ENTRY_POINT.search(head.decode(errors="replace"))
    return [path for path in [_module(script, found[1])] if path is not None] if found else [script]


def _module(script: Path, name: str) -> Path | None:
    """Where the environment of an installed script keeps the module."""
    for library in sorted(script.resolve().parent.parent.glob("lib/python3*/site-packages")):
        base = library.joinpath(*name.split("."))
        for candidate in (base.with_suffix(".py"), base):
            if candidate.exists():
                return candidate.parent if candidate.is_file() and "." in name else candidate
    return None
