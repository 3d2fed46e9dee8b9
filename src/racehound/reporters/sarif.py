"""SARIF 2.1.0, for code scanning and for viewers that step through an interleaving."""

import json
from urllib.parse import quote

from racehound import __version__
from racehound.model.finding import Access, Confidence, Finding
from racehound.model.location import Location
from racehound.model.report import Case, Diagnostic, Report
from racehound.model.rule import RuleText, Severity
from racehound.reporters import wording
from racehound.reporters.accusation import in_full, told
from racehound.reporters.sarif_changes import fix
from racehound.reporters.sarif_flows import code_flow
from racehound.reporters.sources import Sources

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "SRCROOT"
"""Paths are relative to where the hunt began; viewers are told where that is."""
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
PRECISIONS = {Confidence.CERTAIN: "high", Confidence.LIKELY: "medium", Confidence.POSSIBLE: "low"}


def render(report: Report) -> str:
    indices = {rule.meta.code: number for number, rule in enumerate(report.rules)}
    sources = Sources(report.excerpts)
    run = {
        "tool": {
            "driver": {
                "name": "racehound",
                "semanticVersion": __version__,
                "version": __version__,
                "rules": [_rule(rule) for rule in report.rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "the directory that the hunt began in"}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(item) for item in report.diagnostics],
            }
        ],
        "results": [_result(case, indices, sources) for case in report.cases],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: RuleText) -> dict[str, object]:
    meta = rule.meta
    return {
        "id": meta.code,
        "name": "".join(part.capitalize() for part in meta.name.split("-")),
        "shortDescription": {"text": meta.race_type},
        "fullDescription": {"text": meta.impact},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": LEVELS[meta.severity]},
        "properties": {"tags": sorted(meta.tags), "problem.severity": meta.severity.value},
    }


def _result(case: Case, indices: dict[str, int], sources: Sources) -> dict[str, object]:
    finding = case.finding
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "level": LEVELS[finding.severity],
        "message": {"text": "\n".join(told(finding))},
        "locations": [
            {
                "physicalLocation": _physical(finding.location, sources, context=True),
                "logicalLocations": [{"fullyQualifiedName": finding.first.function, "kind": "function"}],
            }
        ],
        "relatedLocations": _related(finding, sources),
        "partialFingerprints": {"racehound/v1": finding.fingerprint},
        "codeFlows": [code_flow(case, lambda place: _physical(place, sources))],
        "properties": _properties(case),
    }
    if finding.rule in indices:
        result["ruleIndex"] = indices[finding.rule]
    if case.patch:
        result["fixes"] = [fix(case.patch, _artifact(case.patch.path))]
    return result


def _related(finding: Finding, sources: Sources) -> list[dict[str, object]]:
    first, second = in_full(finding)
    return [_place(1, finding.first, first, sources), _place(2, finding.second, second, sources)]


def _place(number: int, access: Access, text: str, sources: Sources) -> dict[str, object]:
    return {
        "id": number,
        "message": {"text": text},
        "physicalLocation": _physical(access.location, sources),
    }


def _properties(case: Case) -> dict[str, object]:
    finding = case.finding
    proven = wording.is_race(case.proof)
    properties: dict[str, object] = {
        "confidence": finding.confidence.value,
        **({"doubt": finding.doubt} if finding.doubt else {}),
        "precision": "very-high" if proven else PRECISIONS[finding.confidence],
        "grade": finding.grade.value,
        "raceType": finding.race_type,
        "trigger": finding.trigger,
        "impact": finding.impact,
        "lock": finding.subject.lock,
        "evidence": finding.evidence,
    }
    if case.proof:
        properties["proof"] = {"verdict": case.proof.verdict.value, "reason": case.proof.reason}
        properties["replay"] = case.proof.token
    if case.patch:
        properties["patchSafety"] = case.patch.safety.value
        properties["patchVerdict"] = wording.patch_verdict(case.patch)
    return properties


def _physical(place: Location, sources: Sources, *, context: bool = False) -> dict[str, object]:
    start = sources.column(place.path, place.line, place.column)
    region: dict[str, object] = {"startLine": place.line, "startColumn": start}
    if place.end_line >= place.line:
        region["endLine"] = place.end_line
        if place.end_column:
            region["endColumn"] = sources.column(place.path, place.end_line, place.end_column)
    physical: dict[str, object] = {"artifactLocation": _artifact(place.path), "region": region}
    around = sources.around(place) if context else None
    if around:
        last = around.line + len(around.lines) - 1
        snippet = {"text": "\n".join(around.lines)}
        physical["contextRegion"] = {"startLine": around.line, "endLine": last, "snippet": snippet}
    return physical


def _artifact(path: str) -> dict[str, object]:
    uri = quote(path.encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{uri}"} if path.startswith("/") else {"uri": uri, "uriBaseId": ROOT}


def _notification(diagnostic: Diagnostic) -> dict[str, object]:
    region = {"region": {"startLine": diagnostic.line}} if diagnostic.line else {}
    return {
        "level": "warning",
        "descriptor": {"id": diagnostic.kind},
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(diagnostic.path), **region}}],
    }
