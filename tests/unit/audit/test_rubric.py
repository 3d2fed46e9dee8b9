"""From evidence to checks, score, flags and advice."""

import pkgutil
import re
from dataclasses import replace

import pytest

from drivers.audited import a_run, a_violation
from racehound.audit.advice import BY_CHECK, advice_of
from racehound.audit.isolation import Isolation
from racehound.audit.refusal import Answer, Cancellation
from racehound.audit.rubric import (
    APPEND_ONLY,
    CACHE_ONLY,
    FAILS_ALONE,
    NO_CONFLICT,
    WAITS,
    Evidence,
    checks_of,
    flags_of,
    score_of,
)
from racehound.model.audit import CrashPoint, Harm

HONEST = Answer(run=a_run(4), gave_up=True, hint_ms=10, came_back=True)
BEST = Evidence(
    violations=(),
    schedules=9,
    conflicts=3,
    answers=(HONEST,),
    crash_points=(CrashPoint(point="rename work/c #1", signal="SIGKILL", state="new"),),
    cancellations=(Cancellation("SIGTERM", ()),),
    isolation=Isolation(known=True, shared=(), count=2),
    append_only=False,
)
STUCK = CrashPoint(point="open-exclusive l #1", signal="SIGKILL", state="old", stuck=True)
TORN = CrashPoint(point="write c #1", signal="SIGKILL", state="torn")
LEFT = CrashPoint(point="write t #1", signal="SIGKILL", state="old", leftovers=("work/t",), avoidable=True)
OVERWRITTEN = Isolation(known=True, shared=("tmp/x",), overwritten=("tmp/x",))


def score(**changes: object) -> int:
    return score_of(checks_of(replace(BEST, **changes)))  # type: ignore[arg-type]  # fields of Evidence


def failed(**changes: object) -> dict[str, str]:
    checks = checks_of(replace(BEST, **changes))  # type: ignore[arg-type]  # fields of Evidence
    return {check.id: check.evidence for check in checks if not check.passed}


def test_there_are_seven_checks_and_all_of_them_pass_at_score_three() -> None:
    checks = checks_of(BEST)

    assert len(checks) == 7
    assert all(check.passed and check.evidence for check in checks)
    assert score() == 3


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"violations": (a_violation(),)}, 0),
        ({"violations": (a_violation(what=Harm.FAILED_BUT_APPLIED),)}, 0),
        ({"answers": (replace(HONEST, complaints=("the answer is no JSON",)),)}, 1),
        ({"answers": (Answer(run=a_run(), gave_up=False),)}, 1),
        ({"answers": ()}, 1),
        ({"answers": (replace(HONEST, came_back=False),)}, 1),
        ({"answers": (replace(HONEST, hint_ms=None),)}, 1),
        ({"crash_points": (STUCK,)}, 1),
        ({"crash_points": None}, 1),
        ({"undecided": "no backend"}, 1),
        ({"conflicts": 0, "answers": (), "append_only": True}, 1),
        ({"crash_points": (TORN,)}, 2),
        ({"crash_points": (LEFT,)}, 2),
        ({"isolation": Isolation(known=True, shared=("tmp/x",))}, 2),
        ({"isolation": OVERWRITTEN}, 0),
        ({"isolation": Isolation(known=False, shared=())}, 2),
        ({"isolation": None}, 2),
        ({"cancellations": (Cancellation("SIGTERM", ("does not end",)),)}, 2),
        ({"cancellations": (Cancellation("SIGTERM", (), ("ends with -15, not 143",)),)}, 3),
        ({"answers": (replace(HONEST, departures=("`data` is missing",)),)}, 3),
        ({"cancellations": ()}, 3),
        ({"conflicts": 0, "answers": (), "isolation": Isolation(known=False, shared=())}, 3),
        ({"conflicts": 0, "answers": (), "schedules": 0}, 3),
    ],
)
def test_the_score_follows_from_the_checks(changes: dict[str, object], expected: int) -> None:
    assert score(**changes) == expected


def test_evidence_names_what_was_seen() -> None:
    assert "1 lost update" in failed(violations=(a_violation(),), conflicts=0, answers=())["effects"]
    assert "nothing keeps the calls apart" in failed(violations=(a_violation(),), conflicts=0)["refusal"]
    assert "1 of 1 crash points" in failed(crash_points=(STUCK,))["release"]
    assert "within 12 seconds" in failed(answers=(Answer(run=a_run(), gave_up=False, patience=12.0),))["refusal"]
    assert "work/t behind" in failed(crash_points=(LEFT,))["isolation"]
    assert "fails again" in failed(answers=(replace(HONEST, came_back=False),))["retry-hint"]
    assert failed(undecided="no backend")["cancellation"] == "no backend"


def test_what_is_unlike_the_published_envelope_is_told() -> None:
    departed = replace(HONEST, departures=("`data` is missing",))
    said = [check.evidence for check in checks_of(replace(BEST, answers=(departed, departed)))]

    assert sum("unlike the published envelope: `data` is missing" in text for text in said) == 1


def test_flags_name_what_the_rubric_leaves_open() -> None:
    assert flags_of(BEST) == ()
    assert flags_of(replace(BEST, answers=(Answer(run=a_run(), gave_up=False),))) == (WAITS,)
    assert flags_of(replace(BEST, append_only=True, conflicts=0)) == (APPEND_ONLY, NO_CONFLICT)
    assert flags_of(replace(BEST, failing=True)) == (FAILS_ALONE,)
    assert flags_of(replace(BEST, conflicts=0)) == (NO_CONFLICT,)
    assert flags_of(replace(BEST, conflicts=0, isolation=OVERWRITTEN)) == ()
    assert flags_of(replace(BEST, violations=(a_violation(cache_only=True),))) == (CACHE_ONLY,)


def test_a_clean_tool_gets_no_advice() -> None:
    assert advice_of(checks_of(BEST), (), locked=True) == ()


def test_a_lost_update_under_a_lock_asks_to_read_again() -> None:
    (under_lock, *_) = advice_of((), (a_violation(),), locked=True)
    (without, *_) = advice_of((), (a_violation(),), locked=False, places=("tool.py:3",))

    assert "Read the file again" in under_lock.text
    assert "Hold one lock" in without.text
    assert without.places == ("tool.py:3",)


def test_a_lost_update_behind_the_back_of_a_holder_asks_not_to_go_on_without_the_lock() -> None:
    (only_held, *_) = advice_of((), (a_violation(held=True),), locked=True)
    (also_else, *_) = advice_of((), (a_violation(held=True), a_violation()), locked=True)

    assert "go on without the lock" in only_held.text
    assert "Read the file again" in also_else.text


def test_a_call_that_breaks_down_on_an_emptied_file_is_told_of_both() -> None:
    texts = [advice.text for advice in advice_of((), (a_violation(what=Harm.CRASH),), locked=False)]
    assert ["Hold one lock" in texts[0], "rename" in texts[1]] == [True, True]


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        (Harm.TORN, "rename"),
        (Harm.CRASH, "from looking for a file to acting"),
        (Harm.STUCK, "wait for"),
        (Harm.LEFTOVER, "mkstemp"),
        (Harm.BOTH_FAILED, "one of two calls win"),
    ],
)
def test_each_harm_has_its_cure(harm: Harm, word: str) -> None:
    assert word in advice_of((), (a_violation(what=harm),), locked=False)[0].text


def test_each_failed_check_has_its_cure() -> None:
    worst = replace(BEST, undecided="no backend", crash_points=None, isolation=None, answers=())

    assert len(advice_of(checks_of(worst), (), locked=False)) == 5


@pytest.mark.parametrize("check", ["refusal", "release", "retry-hint", "isolation", "cancellation"])
def test_what_guard_has_is_named_in_the_advice(check: str) -> None:
    names = re.findall(r"racehound\.guard[\w.]*\w", BY_CHECK[check])

    assert names
    assert all(pkgutil.resolve_name(name) for name in names)
