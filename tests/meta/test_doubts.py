"""No rule can weaken a finding without saying why, and no reason is there for nothing."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from racehound.model.doubt import Doubt
from racehound.rules.confidence_page import DOUBTS

SOURCE = Path(__file__).parents[2] / "src" / "racehound"
EVERY_DOUBT = [doubt for doubts in DOUBTS.values() for doubt in doubts]


@cache
def deciding() -> dict[str, str]:
    """What finds out how sure a finding is."""
    return {
        str(path.relative_to(SOURCE)): path.read_text("utf-8")
        for room in ("analysis", "rules")
        for path in sorted((SOURCE / room).rglob("*.py"))
        if path.name != "confidence_page.py"
    }


def test_rules_weaken_a_finding_by_a_doubt_alone() -> None:
    """`Confidence.LIKELY` says how sure, and not why; `Sureness` is made by the doubts themselves."""
    bare = {
        (path, node.lineno)
        for path, text in deciding().items()
        for node in ast.walk(
            ast.parse(text) if "Confidence" in text or "Sureness(" in text else ast.Module([], [])
        )
        if (isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Confidence")
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "Sureness")
    }

    assert bare == set()


def test_every_doubt_is_one_that_some_rule_has() -> None:
    named = set(re.findall(r"\b\w+Doubt\.[A-Z_]+", "\n".join(deciding().values())))

    assert {f"{type(doubt).__name__}.{doubt.name}" for doubt in EVERY_DOUBT} == named


def test_every_kind_of_doubt_is_on_the_page() -> None:
    assert set(Doubt.__subclasses__()) == set(DOUBTS.values())


@pytest.mark.parametrize("doubt", EVERY_DOUBT, ids=str)
def test_doubt_is_one_short_sentence_of_its_own(doubt: Doubt) -> None:
    assert re.fullmatch(r"[A-Z][^.]*\.", doubt.reason)
    assert len(doubt.reason) < 150
    assert sum(other.reason == doubt.reason for other in EVERY_DOUBT) == 1
