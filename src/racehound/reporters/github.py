"""Workflow commands: GitHub shows each as an annotation beside the line."""

from racehound.model.finding import Finding
from racehound.model.report import Diagnostic, Report
from racehound.model.rule import Severity
from racehound.reporters import wording
from racehound.reporters.accusation import told

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    lines = [_annotation(case.finding) for case in report.cases]
    lines += [_notice(diagnostic) for diagnostic in report.diagnostics]
    return "".join(f"{line}\n" for line in [*lines, _escaped(wording.closing(report))])


def _annotation(finding: Finding) -> str:
    place = finding.location
    properties = {
        "file": place.path,
        "line": str(place.line),
        "endLine": str(max(place.line, place.end_line)),
        "col": str(place.column),
        "title": f"{finding.rule} {finding.name}",
    }
    return _command(LEVELS[finding.severity], properties, "\n".join(told(finding)))


def _notice(diagnostic: Diagnostic) -> str:
    properties = {"file": diagnostic.path, "line": str(diagnostic.line or 1), "title": diagnostic.kind}
    return _command("warning", properties, diagnostic.message)


def _command(level: str, properties: dict[str, str], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {told}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
