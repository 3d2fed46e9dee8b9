"""Every rule proves itself on the examples of its page and on the case files below tests/rules."""

import re
from pathlib import Path

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.model.rule import Bad, Good
from racehound.pipeline.hunt import hunt_text
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule
from racehound.source.module import SourceModule

CASES = Path(__file__).parents[2] / "rules"
USED_AS_SUCH = """
{indent}def again(self, part):
{indent}    with self:
{indent}        self[part] = self
{indent}    for part in self:
{indent}        del self[part]
{indent}    return self()

{indent}async def again_later(self):
{indent}    async with self:
{indent}        return await self()
"""
"""Methods that touch the object itself, and no field of it."""


def marked_lines(text: str) -> set[int]:
    return {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# RH")}


def accused_lines(rule: Rule, text: str) -> set[int]:
    return {finding.location.line for finding in rule.check(Program.of(SourceModule.from_text(text)))}


def examples(kind: str) -> list[object]:
    pairs = [(rule, example) for rule in all_rules() for example in getattr(rule, kind)]
    return [pytest.param(*pair, id=f"{pair[0].meta.code}-{index}") for index, pair in enumerate(pairs)]


def files() -> list[object]:
    found = [(rule, CASES / rule.meta.code.lower()) for rule in all_rules()]
    pairs = [(rule, path) for rule, directory in found for path in sorted(directory.glob("*.py"))]
    return [pytest.param(rule, path, id=f"{rule.meta.code}-{path.stem}") for rule, path in pairs]


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_bad_example_is_accused_on_every_marked_line(rule: Rule, example: Bad) -> None:
    assert marked_lines(example.code)
    assert accused_lines(rule, example.code) == marked_lines(example.code)


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_bad_example_is_accused_by_a_hunt_as_its_page_says(rule: Rule, example: Bad) -> None:
    told = {}
    for confidence in (Confidence.LIKELY, Confidence.POSSIBLE):
        findings, _, _ = hunt_text(example.code.encode(), "example.py", confidence=confidence)
        told[confidence] = {item.location.line for item in findings if item.rule == rule.meta.code}

    assert told[Confidence.POSSIBLE] == marked_lines(example.code)
    assert told[Confidence.LIKELY] == (set() if example.is_possible else marked_lines(example.code))


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_good_example_is_silent(rule: Rule, example: Good) -> None:
    assert accused_lines(rule, example.code) == set()


@pytest.mark.parametrize(("rule", "path"), files())
def test_case_file_is_accused_on_its_marked_lines_alone(rule: Rule, path: Path) -> None:
    text = path.read_text("utf-8")

    assert bool(marked_lines(text)) == path.name.startswith("bad")
    assert accused_lines(rule, text) == marked_lines(text)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.code)
def test_object_that_is_called_and_gone_over_breaks_no_rule(rule: Rule) -> None:
    head = re.compile(r"^( *)class [^\n]*:\n", re.MULTILINE)
    for code in (*(example.code for example in rule.bad), *(example.code for example in rule.good)):
        text = head.sub(lambda found: found[0] + USED_AS_SUCH.format(indent=f"{found[1]}    "), code)

        assert isinstance(accused_lines(rule, text), set)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.code)
def test_rule_is_presentable(rule: Rule) -> None:
    meta = rule.meta

    assert re.fullmatch(r"RH\d{3}", meta.code)
    assert type(rule).__module__.endswith(f"{meta.code.lower()}_{meta.name.replace('-', '_')}")
    assert 1 <= len(rule.bad) <= 3
    assert 1 <= len(rule.good) <= 3
    assert meta.impact.endswith(".")
    assert (CASES / meta.code.lower()).is_dir()
