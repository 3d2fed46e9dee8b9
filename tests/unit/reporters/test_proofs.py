"""One proof alone: drawings that are well-formed, load nothing and show what the proof says."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from drivers.reports import INCONCLUSIVE, RACE, SAFE
from racehound.model.proof import Proof, Step
from racehound.reporters.proofs import RENDERERS
from racehound.reporters.text import render_proof
from racehound.reporters.timeline_html import render as fragment
from racehound.reporters.timeline_svg import WIDEST
from racehound.reporters.timeline_svg import render as drawing

VOID = {"meta", "br"}
NASTY = "<script>alert('&\"')</script>"


def nasty() -> Proof:
    step = replace(RACE.timeline[0], path=NASTY, source=NASTY, target=NASTY, value=NASTY)
    return replace(RACE, reason=NASTY, oracle=NASTY, timeline=(step, replace(step, task=1, switch=True)))


PROOFS = {
    "race": RACE,
    "safe": SAFE,
    "inconclusive": INCONCLUSIVE,
    "nasty": nasty(),
    "stuck": replace(RACE, outcome=None, serial=(), masked=(), token=None, scenario=None),
    "three tasks": replace(RACE, timeline=(*RACE.timeline, replace(RACE.timeline[-1], task=2))),
}
EACH = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


class Balanced(HTMLParser):
    """Fails on tags that are not closed in order; keeps what a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "link", "img", "iframe"}
        self.links += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += f"{data} "


def read(html: str) -> str:
    page = Balanced()
    page.feed(html)
    page.close()
    assert page.open == []
    assert page.links == []
    return page.text


@EACH
def test_page_is_well_formed_and_loads_nothing(proof: Proof) -> None:
    page = RENDERERS["html"](proof)

    assert proof.verdict in read(page)
    assert proof.reason in read(page)
    assert page.count("</html>") == 1
    assert "url(" not in page
    assert "prefers-color-scheme: dark" in page


@EACH
def test_drawing_is_well_formed_and_stays_inside_its_frame(proof: Proof) -> None:
    text = drawing(proof)

    root = ET.fromstring(text)  # noqa: S314 - our own output

    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        assert float(element.attrib.get("x", 0)) + float(element.attrib.get("width", 0)) <= width
        assert float(element.attrib.get("y", 0)) <= height
    assert not re.search(r"(?:href|src)=|url\(|@import", text)
    assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize("render", [fragment, drawing])
def test_each_task_has_a_column_with_source_values_and_switches(render: Callable[[Proof], str]) -> None:
    text = render(RACE)

    for told in ("task 1", "task 2", "count = self._count", "self._count → 5", "stock_room.py", "Stock(_count=4)"):
        assert told in text
    assert text.count("switch to task 2") == 1
    assert text.count("switch to task 1") == 1


def test_fragment_tells_how_to_see_it_again() -> None:
    assert f"racehound replay {RACE.token}" in read(fragment(RACE))


def test_long_sentences_are_cut_to_the_width_of_the_drawing() -> None:
    texts = re.findall(r"preserve\">([^<]*)<", drawing(replace(RACE, reason="very long " * 50)))

    assert max(map(len, texts)) <= WIDEST + 30  # entities are longer than what they stand for


def test_json_of_one_proof_counts_tasks_as_the_text_does() -> None:
    document = json.loads(RENDERERS["json"](RACE))

    assert [step["task"] for step in document["proof"]["timeline"]] == [1, 2, 2, 2, 1]
    assert document["scenario"]["setup"] == "Stock(5)"
    assert document["outcome"]["state"] == "Stock(_count=4)"
    assert document["test"].startswith("def test_")
    assert json.loads(RENDERERS["json"](SAFE))["scenario"] is None


def test_markdown_of_one_proof_has_the_test_and_the_timeline() -> None:
    page = RENDERERS["markdown"](RACE)

    assert "def test_take_loses_an_update" in page
    assert "| task 1 | task 2 |" in page
    assert "No interleaving was found that breaks it" in RENDERERS["markdown"](SAFE)


def test_steps_of_several_files_name_theirs() -> None:
    other: Step = replace(RACE.timeline[0], path="shop/till.py")

    assert "till.py:12" in read(fragment(replace(RACE, timeline=(*RACE.timeline, other))))


def test_tasks_that_are_too_many_for_columns_are_all_shown() -> None:
    steps = tuple(replace(RACE.timeline[0], task=task, value=f"value {task}") for task in range(6))

    shown = render_proof(replace(RACE, timeline=steps), width=100)

    assert all(f"value {task}" in shown for task in range(6))
