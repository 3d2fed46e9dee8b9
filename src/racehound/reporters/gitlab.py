"""A Code Quality report, as GitLab shows it in a merge request."""

import json

from racehound.model.finding import Access, Confidence, Finding
from racehound.model.location import Location
from racehound.model.report import Report
from racehound.model.rule import Severity
from racehound.reporters.accusation import told


def render(report: Report) -> str:
    return json.dumps([_issue(case.finding) for case in report.cases], indent=2, ensure_ascii=False) + "\n"


def _issue(finding: Finding) -> dict[str, object]:
    return {
        "type": "issue",
        "check_name": f"{finding.rule} {finding.name}",
        "description": " ".join(_sentence(line) for line in told(finding)),
        "content": {"body": "\n\n".join([*told(finding), finding.evidence])},
        "categories": ["Bug Risk"],
        "severity": _severity(finding),
        "fingerprint": finding.fingerprint,
        "location": _location(finding.location),
        "other_locations": [_location(access.location) for access in _accesses(finding)],
    }


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _accesses(finding: Finding) -> list[Access]:
    return list(dict.fromkeys((finding.first, finding.second)))


def _severity(finding: Finding) -> str:
    if finding.severity is Severity.ERROR:
        return "critical" if finding.confidence is Confidence.CERTAIN else "major"
    return "minor" if finding.severity is Severity.WARNING else "info"


def _location(place: Location) -> dict[str, object]:
    return {"path": place.path, "lines": {"begin": place.line, "end": max(place.line, place.end_line)}}
