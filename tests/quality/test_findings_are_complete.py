"""Whatever rule speaks: a finding names two operations, where each runs, what triggers it and what it does."""

import re

import pytest

from racehound.analysis.program import Program
from racehound.model.rule import Bad
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule
from racehound.source.module import SourceModule

BAD = [
    pytest.param(rule, bad, id=f"{rule.meta.code}-{at}") for rule in all_rules() for at, bad in enumerate(rule.bad)
]


@pytest.mark.parametrize(("rule", "bad"), BAD)
def test_finding_leaves_nothing_out(rule: Rule, bad: Bad) -> None:
    last = bad.code.count("\n") + 1
    for finding in rule.check(Program.of(SourceModule.from_text(bad.code, "app.py"))):
        for access in (finding.first, finding.second):
            assert access.function
            assert access.action
            assert access.target
            assert access.context
            assert 1 <= access.location.line <= last
        assert finding.trigger.endswith(".")
        assert finding.impact.endswith(".")
        assert finding.evidence
        assert finding.race_type
        assert not re.search(r"\{\w*\}", finding.message + finding.trigger)
