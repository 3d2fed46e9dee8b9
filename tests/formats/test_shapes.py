"""What the programs that read a format rely on, checked on every sample report."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from drivers.reports import PATCH, REPORTS, finding
from racehound.model.patch import Patch
from racehound.model.report import Case, Report
from racehound.reporters.registry import DETAILED, FORMATS, reporter
from racehound.reporters.sarif_changes import replacements

EVERY_REPORT = pytest.mark.parametrize("name", REPORTS)
VOID = {"meta", "input", "br"}


def sarif_run(name: str) -> Any:
    document = json.loads(reporter("sarif")(REPORTS[name]))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    return run


def regions(node: object) -> list[dict[str, int]]:
    """Every region in a document."""
    if isinstance(node, list):
        return [region for item in node for region in regions(item)]
    if not isinstance(node, dict):
        return []
    own = [value for key, value in node.items() if key.endswith("egion")]
    return own + [region for value in node.values() for region in regions(value)]


@EVERY_REPORT
def test_sarif_regions_begin_at_one_and_run_forwards(name: str) -> None:
    for region in regions(sarif_run(name)):
        assert region["startLine"] >= 1
        assert region.get("startColumn", 1) >= 1
        start = region["startLine"], region.get("startColumn", 1)
        assert start <= (region.get("endLine", region["startLine"]), region.get("endColumn", 10**6))


@EVERY_REPORT
def test_sarif_results_refer_to_rules_that_are_described(name: str) -> None:
    run = sarif_run(name)
    rules = run["tool"]["driver"]["rules"]

    for result in run["results"]:
        if "ruleIndex" in result:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["partialFingerprints"]["racehound/v1"]
    assert all(rule["help"]["markdown"] and rule["shortDescription"]["text"] for rule in rules)


@EVERY_REPORT
def test_sarif_paths_are_encoded_and_relative_to_the_root(name: str) -> None:
    run = sarif_run(name)
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    uris += [
        note["locations"][0]["physicalLocation"]["artifactLocation"]
        for note in run["invocations"][0]["toolExecutionNotifications"]
    ]

    assert all(re.fullmatch(r"[\w./%-]+", item["uri"], re.ASCII) for item in uris)
    assert {item["uriBaseId"] for item in uris} <= set(run["originalUriBaseIds"])


def test_sarif_path_from_the_root_of_the_file_system_is_a_file_address() -> None:
    place = finding()
    moved = Case(finding=_moved(place.location.path, "/srv/app.py"))

    (result,) = json.loads(reporter("sarif")(Report(cases=(moved,))))["runs"][0]["results"]

    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///srv/app.py"}


def _moved(old: str, new: str) -> Any:
    item = finding()
    assert item.location.path == old
    return replace(item, location=replace(item.location, path=new))


@EVERY_REPORT
def test_sarif_numbers_the_operations_of_an_interleaving_across_its_tasks(name: str) -> None:
    for result, case in zip(sarif_run(name)["results"], REPORTS[name].cases, strict=True):
        (flow,) = result["codeFlows"]
        steps = [step for thread in flow["threadFlows"] for step in thread["locations"]]
        orders = sorted(step["executionOrder"] for step in steps if "executionOrder" in step)
        assert len(flow["threadFlows"]) >= 2
        if case.proof and case.proof.timeline:
            assert orders == list(range(1, len(case.proof.timeline) + 1))


def test_sarif_columns_count_characters() -> None:
    (first, *_) = sarif_run("audit")["results"]

    assert first["locations"][0]["physicalLocation"]["region"]["startColumn"] == 9
    assert first["locations"][0]["physicalLocation"]["contextRegion"]["snippet"]["text"].endswith("# <b>")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PATCH.before, PATCH.after),
        ("a\nb\nc\n", "a\nc\n"),
        ("a\nb\n", "a\nb\nc\n"),
        ("a\n", "x\na\ny\n"),
        ("a\nb", "a\nc"),
        ("a\x0c\u2028\r\nb\r\n", "a\x0c\u2028\r\nx\r\nb\r\n"),
    ],
)
def test_sarif_replacements_turn_the_old_text_into_the_new_one(before: str, after: str) -> None:
    patch = Patch(path="a.py", summary="", before=before, after=after, diff="", safety=PATCH.safety)
    lines = re.findall(r".*\n|.+", before)

    for change in reversed(replacements(patch)):
        region, content = change["deletedRegion"], change["insertedContent"]
        assert isinstance(region, dict)
        assert isinstance(content, dict)
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [content["text"]]

    assert "".join(lines) == after


@EVERY_REPORT
def test_gitlab_issues_have_what_the_merge_request_shows(name: str) -> None:
    issues = json.loads(reporter("gitlab")(REPORTS[name]))

    assert len({issue["fingerprint"] for issue in issues}) == len(REPORTS[name].cases)
    for issue in issues:
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert issue["location"]["path"]
        assert 1 <= issue["location"]["lines"]["begin"] <= issue["location"]["lines"]["end"]
        assert issue["description"].endswith(".")


@EVERY_REPORT
def test_junit_counts_are_those_of_its_cases(name: str) -> None:
    root = ET.fromstring(reporter("junit")(REPORTS[name]))  # noqa: S314 - written by ourselves

    for scope in (root, *root.iter("testsuite")):
        assert int(scope.attrib["tests"]) == len(list(scope.iter("testcase"))) > 0
        assert int(scope.attrib["failures"]) == len(list(scope.iter("failure")))
        assert int(scope.attrib["errors"]) == len(list(scope.iter("error")))


@EVERY_REPORT
def test_github_commands_are_one_line_each(name: str) -> None:
    report = REPORTS[name]
    *commands, closing = reporter("github")(report).split("\n")[:-1]

    assert len(commands) == len(report.cases) + len(report.diagnostics)
    assert not closing.startswith("::")
    for command in commands:
        match = re.match(r"::(error|warning|notice) ([^:]*)::.", command)
        assert match
        assert match[2].startswith("file=")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@EVERY_REPORT
def test_html_is_whole_and_needs_nothing_from_elsewhere(name: str) -> None:
    text = reporter("html")(REPORTS[name])
    page = _Page()

    page.feed(text)

    assert page.open == []
    assert not {"src", "srcset", "action"} & {key for key, _ in page.attributes}
    assert all((value or "").startswith("#") for key, value in page.attributes if key == "href")
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("format_name", sorted(set(FORMATS)))
def test_every_format_shows_all_that_a_finding_says(format_name: str) -> None:
    output = reporter(format_name)(REPORTS["audit"])
    flat = " ".join(output.replace("\\", "").replace("%0A", " ").replace("%3A", ":").split())
    first, second = REPORTS["audit"].cases[1].finding.first, REPORTS["audit"].cases[1].finding.second

    for access in (first, second):
        assert access.function in flat
        assert re.search(r"any thread that calls\W+(code\W+)?" + access.function.rpartition(".")[2], flat)
    assert "no lock" in flat
    assert "self._lock" in flat
    assert "Two threads run" in flat
    assert "Lost update: of two changes" in flat
    assert "free-threaded" in flat or "gil" in flat
    assert "likely" in flat
    assert set(FORMATS) >= DETAILED
