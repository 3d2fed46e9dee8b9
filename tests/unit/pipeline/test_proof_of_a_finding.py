"""A finding is proven by its own race alone."""

from dataclasses import replace

from drivers.reports import RACE, SAFE, finding
from racehound.model.proof import Verdict
from racehound.pipeline.prove import about


def test_a_race_on_a_line_of_the_finding_proves_it() -> None:
    assert about(finding(12), RACE) is RACE


def test_a_race_on_its_field_elsewhere_counts_and_is_told_apart() -> None:
    proof = about(finding(900), RACE)

    assert proof == replace(RACE, reason=f"{RACE.reason}, by other uses of `_count` than those named above")


def test_a_race_of_something_else_proves_nothing() -> None:
    other = replace(finding(900), subject=replace(finding().subject, fields=("_height",)))

    proof = about(other, RACE)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason == "the operations that could be raced show a race, but none that touches `_height`"
    assert (proof.token, proof.timeline, proof.executions) == (None, (), RACE.executions)


def test_what_is_no_race_is_left_as_it_is() -> None:
    assert about(finding(900), SAFE) is SAFE


def test_what_changes_no_outcome_is_not_refuted_by_a_search_for_outcomes() -> None:
    proof = about(replace(finding(900), rule="RH306"), SAFE)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason.endswith("but what RH306 accuses changes no outcome that this would show")
