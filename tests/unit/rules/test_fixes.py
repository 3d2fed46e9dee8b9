"""A bad example that says what it is fixed to is changed to that by the transformation that comes first."""

import pytest

from racehound.fixes.registry import all_transformations, patch_by, transformations_for
from racehound.model.finding import Confidence
from racehound.model.patch import Patch
from racehound.model.rule import Bad
from racehound.pipeline.hunt import hunt_text
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule

FIXED = [
    pytest.param(rule, bad, id=f"{rule.meta.code}-{at}")
    for rule in all_rules()
    for at, bad in enumerate(rule.bad)
    if bad.fixed is not None
]


@pytest.mark.parametrize(("rule", "bad"), FIXED)
def test_bad_example_is_fixed_as_it_says(rule: Rule, bad: Bad) -> None:
    findings, _, _ = hunt_text(bad.code.encode(), "m.py", select=[rule.meta.code], confidence=Confidence.POSSIBLE)
    finding = findings[0]

    patch = patch_by(transformations_for(finding)[0], bad.code, findings=[finding], path="m.py")

    assert isinstance(patch, Patch)
    assert patch.after.replace("  # RH", "") == bad.fixed_code


def test_every_rule_with_a_transformation_of_its_own_shows_what_it_does() -> None:
    own = {code for item in all_transformations() for code in item.rules}
    shown = {rule.meta.code for rule in all_rules() if any(bad.fixed is not None for bad in rule.bad)}

    assert own <= shown
