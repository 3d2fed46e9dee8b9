from dataclasses import replace

import pytest

from drivers.reports import finding
from racehound.model.doubt import CERTAIN, Sureness, weaker
from racehound.model.finding import Confidence
from racehound.model.meeting_doubts import MeetingDoubt

DOUBT = MeetingDoubt.ONE_THREAD


def test_doubt_gives_what_it_weakens_its_reason() -> None:
    assert DOUBT.likely.is_likely
    assert DOUBT.possible.is_possible
    assert DOUBT.likely.reason == DOUBT.possible.reason == DOUBT.value
    assert CERTAIN.reason == ""


@pytest.mark.parametrize(("confidence", "doubt"), [(Confidence.LIKELY, None), (Confidence.CERTAIN, DOUBT)])
def test_no_confidence_but_a_certain_one_is_without_a_doubt(
    confidence: Confidence, doubt: MeetingDoubt | None
) -> None:
    with pytest.raises(ValueError, match="a weaker finding has a reason"):
        Sureness(confidence, doubt)


def test_weaker_of_two_keeps_its_own_reason() -> None:
    other = MeetingDoubt.RARE.likely

    assert weaker(CERTAIN, other) is other
    assert weaker(DOUBT.possible, other) is DOUBT.possible
    assert weaker(DOUBT.likely, other) is DOUBT.likely


def test_finding_that_is_weaker_says_why_and_a_certain_one_does_not() -> None:
    with pytest.raises(ValueError, match="likely with the doubt ''"):
        replace(finding(), confidence=Confidence.LIKELY)
    with pytest.raises(ValueError, match="certain with the doubt"):
        replace(finding(), doubt="No thread is seen.")
