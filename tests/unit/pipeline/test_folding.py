from dataclasses import replace

from drivers.reports import finding
from racehound.model.finding import Confidence, Finding
from racehound.pipeline.folding import folded


def general(line: int, doubt: str = "") -> Finding:
    sure = Confidence.LIKELY if doubt else Confidence.CERTAIN
    return replace(finding(line), rule="RH107", message="no lock in common", confidence=sure, doubt=doubt)


def test_defect_is_told_once_by_the_rule_that_knows_more_and_keeps_the_places_of_the_other() -> None:
    other = general(20)
    elsewhere = replace(other, second=replace(other.second, function="Stock.count"))

    (told,) = folded([elsewhere, finding(12)])

    assert (told.rule, told.location.line) == ("RH102", 12)
    assert told.trigger.endswith(" RH107 adds: no lock in common.")
    assert elsewhere.second in told.further
    assert told.first not in told.further


def test_surer_finding_is_the_one_that_is_told() -> None:
    unsure = replace(finding(12), confidence=Confidence.POSSIBLE, doubt="No thread is seen.")

    (told,) = folded([unsure, general(20, "No two threads are seen.")])

    assert (told.rule, told.doubt) == ("RH107", "No two threads are seen.")
    assert unsure.message in told.trigger


def test_other_fields_functions_and_specific_rules_are_defects_of_their_own() -> None:
    known = finding(12)
    others = [
        replace(general(20), subject=replace(known.subject, fields=("other",))),
        replace(general(21), first=replace(known.first, function="Stock.other")),
        replace(finding(22), rule="RH101"),
        replace(finding(23), rule="RH205"),
    ]

    assert folded([known, *others]) == [known, *others]


def test_declared_lock_speaks_for_what_goes_wrong_without_it() -> None:
    declared = replace(
        finding(12),
        rule="RH115",
        message="declared guarded by `_lock`",
        confidence=Confidence.LIKELY,
        doubt="No two threads are seen.",
    )

    (told,) = folded([finding(12), declared])

    assert (told.rule, told.confidence, told.doubt) == ("RH115", Confidence.CERTAIN, "")
    assert told.trigger.endswith(f" RH102 adds: {finding(12).message}.")


def test_silenced_finding_hangs_on_no_other_one_and_takes_with_it_what_it_would_tell() -> None:
    unsure = replace(finding(12), confidence=Confidence.POSSIBLE, doubt="No thread is seen.")
    sure = general(20, "No two threads are seen.")

    assert folded([unsure, sure], lambda item: item is unsure) == [sure]
    assert [item.rule for item in folded([finding(12), sure], lambda item: item is not sure)] == ["RH102"]


def test_function_without_the_lock_is_told_once_whatever_fields_it_uses() -> None:
    known = replace(finding(12), subject=replace(finding(12).subject, lock="_lock"))
    other = replace(general(20), subject=replace(known.subject, fields=("other",)))

    (told,) = folded([known, other])

    assert (told.rule, told.location.line) == ("RH102", 12)
    assert told.trigger.endswith(" RH107 adds: no lock in common.")
    assert folded([other, replace(other, location=known.location)])[0] is other


def test_function_without_two_locks_has_two_defects() -> None:
    known = replace(finding(12), subject=replace(finding(12).subject, lock="_lock"))
    other = replace(general(20), subject=replace(known.subject, fields=("other",), lock="_other_lock"))
    surer = replace(general(21), subject=replace(known.subject, fields=("other",)))
    unsure = replace(known, confidence=Confidence.POSSIBLE, doubt="No thread is seen.")

    assert folded([known, other]) == [known, other]
    assert folded([unsure, surer]) == [unsure, surer]


def test_what_another_finding_tells_in_turn_takes_its_notes_along() -> None:
    subject = replace(finding(12).subject, lock="_lock")
    loop = replace(finding(12), rule="RH103", subject=subject)
    own = replace(finding(12), rule="RH104", message="changed in its own loop", subject=subject)
    guard = replace(general(20), subject=replace(subject, fields=("other",)))

    (told,) = folded([loop, guard, own])

    assert told.rule == "RH104"
    assert "RH107 adds: no lock in common." in told.trigger
