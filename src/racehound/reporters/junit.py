"""Findings as failed tests, for whatever shows test results: a suite per file, a case per finding."""

import re
import xml.etree.ElementTree as ET
from itertools import groupby

from racehound.model.report import Case, Diagnostic, Report
from racehound.reporters import wording
from racehound.reporters.accusation import told
from racehound.reporters.columns import columns

_UNSAFE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    unread, _ = wording.sorted_out(report.diagnostics)
    counts = {"tests": len(report.cases) + len(unread), "failures": len(report.cases), "errors": len(unread)}
    root = ET.Element("testsuites", {"name": "racehound", **_texts(counts)})
    for path, cases in groupby(report.cases, key=lambda case: case.finding.location.path):
        _suite(root, path, list(cases))
    for diagnostic in unread:
        _error(root, diagnostic)
    if not len(root):
        suite = ET.SubElement(root, "testsuite", name="racehound", tests="1", failures="0", errors="0")
        ET.SubElement(suite, "testcase", name="nothing found", classname="racehound")
        root.set("tests", "1")
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, path: str, cases: list[Case]) -> None:
    counts = _texts({"tests": len(cases), "failures": len(cases), "errors": 0})
    suite = ET.SubElement(root, "testsuite", {"name": _safe(path), **counts})
    for case in cases:
        finding = case.finding
        test = ET.SubElement(
            suite,
            "testcase",
            name=_safe(f"{finding.rule} {finding.name} in {finding.first.function}, line {finding.location.line}"),
            classname=_safe(path),
            file=_safe(path),
            line=str(finding.location.line),
        )
        failure = ET.SubElement(test, "failure", type=finding.rule, message=_safe(finding.message))
        failure.text = _safe("\n".join(_told(case)))


def _told(case: Case) -> list[str]:
    lines = [str(case.finding.location), *told(case.finding), "", case.finding.evidence]
    if case.proof:
        lines += ["", f"proof: {case.proof.verdict} after {wording.executions(case.proof)}: {case.proof.reason}"]
        lines += columns(case.proof.timeline)
        lines += [f"racehound replay {case.proof.token}"] if case.proof.token else []
    if case.patch:
        lines += ["", f"patch (graded {case.patch.safety}): {case.patch.summary}"]
        lines += [wording.patch_verdict(case.patch), "", case.patch.diff]
    return lines


def _error(root: ET.Element, diagnostic: Diagnostic) -> None:
    suite = ET.SubElement(root, "testsuite", name=_safe(diagnostic.path), tests="1", failures="0", errors="1")
    test = ET.SubElement(suite, "testcase", name="can be read", classname=_safe(diagnostic.path))
    ET.SubElement(test, "error", type=diagnostic.kind, message=_safe(str(diagnostic)))


def _texts(numbers: dict[str, int]) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items()}


def _safe(text: str) -> str:
    """Without the characters that XML cannot hold in any form."""
    return _UNSAFE.sub("\ufffd", text)
