"""Each file under transformations holds a racy program, and what a rule's own transformation makes of it.

The name begins with the rule; behind the line of dashes stands the patched text, or nothing, and then what the
patch says of itself, or why there is none.
"""

import io
import tokenize
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from racehound.fixes.ask_done import AskDone
from racehound.fixes.registry import patch_by, transformations_for
from racehound.model.finding import Confidence, Finding
from racehound.model.location import Location
from racehound.model.patch import Patch, Refusal
from racehound.pipeline.hunt import hunt_text

CASES = sorted((Path(__file__).parent / "transformations").glob("*.txt"))


def accused(source: str, code: str) -> list[Finding]:
    findings, _, _ = hunt_text(source.encode(), "module.py", select=[code], confidence=Confidence.POSSIBLE)
    return list(findings)


def patched(source: str, code: str) -> Patch | Refusal:
    finding = accused(source, code)[0]
    return patch_by(transformations_for(finding)[0], source, findings=[finding], path="module.py")


def comments(source: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_transformation_makes_what_is_accepted_or_says_why_not(path: Path) -> None:
    before, after, verdict = path.read_text(encoding="utf-8").split("---\n")
    code = path.stem.partition("_")[0].upper()

    patch = patched(before, code)

    if not after:
        assert patch == Refusal(verdict.rstrip("\n"))
        return
    assert isinstance(patch, Patch)
    assert patch.after == after
    assert f"{patch.safety}: {patch.summary}" == verdict.rstrip("\n")
    assert patch.diff.startswith("--- a/module.py\n+++ b/module.py\n")
    assert not comments(before) - comments(after)
    compile(after, "module.py", "exec")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_patched_source_has_nothing_left_to_patch(path: Path) -> None:
    _, after, _ = path.read_text(encoding="utf-8").split("---\n")
    code = path.stem.partition("_")[0].upper()

    assert all(
        isinstance(patch_by(transformations_for(finding)[0], after, findings=[finding], path="module.py"), Refusal)
        for finding in accused(after, code)
    )


def test_future_that_is_asked_already_is_not_asked_again() -> None:
    path = Path(__file__).parent / "transformations" / "rh313_asks_before_it_completes.txt"
    before, after, _ = path.read_text(encoding="utf-8").split("---\n")
    (accused_before,) = accused(before, "RH313")
    line = next(number for number, text in enumerate(after.splitlines(), 1) if "waiting.set_result" in text)
    indented = after.splitlines()[line - 1]
    column = indented.index("waiting") + 1
    place = Location(
        path="module.py",
        line=line,
        column=column,
        end_line=line,
        end_column=indented.index(")") + 2,
    )

    patch = patch_by(AskDone(), after, findings=[replace(accused_before, location=place)], path="module.py")

    assert patch == Refusal("it is asked already whether the future is done")
