"""Each file under cases holds a subject, the source, the patched source and what the patch says of itself."""

from pathlib import Path

import pytest

from racehound.fixes.hold_lock import hold_lock
from racehound.model.finding import Subject

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


def read_case(path: Path) -> tuple[Subject, str, str, str]:
    head, before, after, verdict = path.read_text(encoding="utf-8").split("---\n")
    facts = dict(line.split(": ") for line in head.splitlines())
    subject = Subject(
        path="module.py",
        class_name=facts.get("class"),
        functions=(),
        fields=tuple(facts["fields"].split()),
        lock=facts.get("lock"),
    )
    return subject, before, after, verdict.rstrip("\n")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_patch_is_the_accepted_one(path: Path) -> None:
    subject, before, after, verdict = read_case(path)

    patch = hold_lock(before, subject=subject, path="module.py")

    assert patch is not None
    assert patch.after == after
    assert f"{patch.safety}: {patch.summary}" == verdict
    assert patch.before == before
    assert patch.diff.startswith("--- a/module.py\n+++ b/module.py\n")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_patched_source_needs_no_further_patch(path: Path) -> None:
    subject, _, after, _ = read_case(path)

    compile(after, "module.py", "exec")

    assert hold_lock(after, subject=subject, path="module.py") is None
