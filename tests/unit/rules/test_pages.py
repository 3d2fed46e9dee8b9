import subprocess
import sys
from pathlib import Path

import pytest

from racehound.rules.confidence_page import DOUBTS, confidence_page
from racehound.rules.pages import page
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule

PAGES = Path(__file__).parents[3] / "docs" / "rules"
CONFIDENCE = "confidence"


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.code)
def test_page_in_the_docs_is_the_generated_one(rule: Rule) -> None:
    assert (PAGES / f"{rule.meta.code}.md").read_text("utf-8") == page(rule) + "\n"


def test_no_page_is_left_without_a_rule() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {rule.meta.code for rule in all_rules()} | {CONFIDENCE}


def test_page_of_confidence_has_every_doubt() -> None:
    text = confidence_page() + "\n"

    assert (PAGES / f"{CONFIDENCE}.md").read_text("utf-8") == text
    assert all(f"- {doubt.reason}\n" in text for doubts in DOUBTS.values() for doubt in doubts)


def test_page_tells_what_happens_and_shows_each_example() -> None:
    rule = all_rules()[0]
    text = page(rule)

    assert text.startswith(f"# {rule.meta.code} {rule.meta.name}\n")
    assert rule.meta.impact in text
    fixed = [bad for bad in rule.bad if bad.fixed is not None]
    assert text.count("```python") == len(rule.bad) + len(fixed) + len(rule.good)
    assert fixed[0].fixed_code in text


def test_command_writes_the_pages(tmp_path: Path) -> None:
    pages = tmp_path / "rules"

    subprocess.run([sys.executable, "-m", "racehound.rules.pages", str(pages)], check=True)

    names = [*(rule.meta.code for rule in all_rules()), CONFIDENCE]
    assert sorted(path.name for path in pages.iterdir()) == sorted(f"{name}.md" for name in names)
