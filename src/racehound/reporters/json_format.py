"""What other programs read; the keys are a contract."""

import json

from racehound.model.checklist import Checklist, Question
from racehound.model.finding import Access, Finding
from racehound.model.patch import Patch
from racehound.model.proof import Proof, Step
from racehound.model.report import Case, Diagnostic, Report, Statistics
from racehound.reporters.accusation import access, guard, in_full

VERSION = 1


def render(report: Report) -> str:
    document: dict[str, object] = {
        "version": VERSION,
        "findings": [_finding(case) for case in report.cases],
        "statistics": _statistics(report.statistics),
    }
    if report.diagnostics:
        document["diagnostics"] = [_diagnostic(item) for item in report.diagnostics]
    if report.checklists:
        document["checklists"] = [_checklist(sheet) for sheet in report.checklists]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _finding(case: Case) -> dict[str, object]:
    finding = case.finding
    return {
        "rule": finding.rule,
        "name": finding.name,
        "path": finding.location.path,
        "line": finding.location.line,
        "end_line": finding.location.end_line or finding.location.line,
        "column": finding.location.column,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "grade": finding.grade.value,
        "message": finding.message,
        "race_type": finding.race_type,
        "trigger": _trigger(finding),
        "impact": finding.impact,
        "evidence": finding.evidence,
        "related": _related(finding),
        "fingerprint": finding.fingerprint,
        "proof": proof_entry(case.proof),
        "patch": _patch(case.patch),
    }


def _trigger(finding: Finding) -> str:
    """With what keeps the finding from being surer: the contract has no key for it."""
    return f"{finding.trigger} Doubt: {finding.doubt}" if finding.doubt else finding.trigger


def _related(finding: Finding) -> list[dict[str, object]]:
    """The two operations that meet, the first with the lock that others hold; then further ones."""
    others = "".join(f"; {line}" for line in guard(finding))
    further = [item for item in dict.fromkeys(finding.further) if item not in {finding.first, finding.second}]
    first, second = in_full(finding)
    return [
        _place(finding.first, f"{first}{others}"),
        _place(finding.second, second),
        *(_place(item, access(item)) for item in further),
    ]


def _place(item: Access, message: str) -> dict[str, object]:
    return {"path": item.location.path, "line": item.location.line, "message": message}


def proof_entry(proof: Proof | None) -> dict[str, object] | None:
    if proof is None:
        return None
    return {
        "verdict": proof.verdict.value,
        "reason": proof.reason,
        "token": proof.token,
        "executions": proof.executions,
        "oracle": proof.oracle,
        "timeline": [_step(step) for step in proof.timeline],
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "task": step.task + 1,  # as every text says it
        "path": step.path,
        "line": step.line,
        "source": step.source,
        "operation": step.operation,
        "target": step.target,
        "value": step.value,
        "switch": step.switch,
    }


def _patch(patch: Patch | None) -> dict[str, object] | None:
    if patch is None:
        return None
    return {"diff": patch.diff, "safety": patch.safety.value, "proof": proof_entry(patch.proof)}


def _diagnostic(item: Diagnostic) -> dict[str, object]:
    return {"path": item.path, "line": item.line or None, "kind": item.kind, "message": item.message}


def _checklist(sheet: Checklist) -> dict[str, object]:
    return {"title": sheet.title, "questions": [_question(item) for item in sheet.questions]}


def _question(item: Question) -> dict[str, object]:
    behind = [
        {
            "rule": finding.rule,
            "path": finding.location.path,
            "line": finding.location.line,
            "fingerprint": finding.fingerprint,
        }
        for finding in item.findings
    ]
    return {
        "question": item.text,
        "answer": item.answer.value,
        "good": item.is_good,
        "reason": item.reason,
        "findings": behind,
    }


def _statistics(statistics: Statistics) -> dict[str, object]:
    return {
        "files": statistics.files,
        "lines": statistics.lines,
        "unparsed": statistics.unparsed,
        "rules": statistics.rules,
        "verdicts": statistics.verdicts,
    }
