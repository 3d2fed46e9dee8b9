"""An outcome is serial, a refusal, or harm; each kind of harm has its name."""

import pytest

from drivers.audited import BASE, BOTH, ONE, OTHER, a_run, a_serial, calls
from racehound.audit.ending import Ending
from racehound.audit.judge import Judgement, judge
from racehound.model.audit import Harm
from racehound.processes.outcome import Run

FINE = a_run()
TRACEBACK = "Traceback (most recent call last):\n  File x\nValueError: no"


def judged(
    entries: dict[str, str], *, first: int | None = 0, second: int | None = 0, run: Run = FINE, loser: int = 1
) -> Judgement:
    runs = (FINE, run) if loser == 1 else (run, FINE)
    return judge(Ending(first, second, entries), runs, a_serial())


def test_the_outcome_of_a_serial_order_is_no_harm() -> None:
    assert judged(BOTH) == Judgement()


def test_an_acknowledged_effect_that_is_gone_is_a_lost_update() -> None:
    found = judged(ONE)

    assert (found.harm, found.lost) == (Harm.LOST_UPDATE, ("work/c.json: b",))


def test_an_entry_from_before_that_is_gone_is_told_apart() -> None:
    entries = {name: value for name, value in BOTH.items() if not name.endswith("base")}

    assert judged(entries).harm is Harm.LOST_ENTRY


def test_an_entry_that_was_removed_and_is_back_is_a_lost_update() -> None:
    gone = {"work/c.json": ""}
    serial = a_serial(both=gone)

    found = judge(Ending(0, 0, BASE), (FINE, FINE), serial)

    assert (found.harm, found.lost) == (Harm.LOST_UPDATE, ("work/c.json: base",))
    assert "there again" in found.detail


def test_a_file_that_cannot_be_read_any_more_is_torn() -> None:
    assert judged({"work/c.json": "", "work/c.json: (unreadable)": "x"}).harm is Harm.TORN


def test_a_file_that_no_serial_order_leaves_is_a_leftover() -> None:
    assert judged({**BOTH, "work/c.tmp": "", "work/c.tmp: line 'x'": "1"}).harm is Harm.LEFTOVER


@pytest.mark.parametrize(("inside", "harm"), [("(order of lines)", None), ("line 'x'", Harm.LEFTOVER)])
def test_an_empty_file_that_is_only_locked_where_calls_meet_is_no_leftover(inside: str, harm: Harm | None) -> None:
    run = a_run(calls=calls("open-append work/guard", "flock work/guard"))

    assert judged({**BOTH, "work/guard": "", f"work/guard: {inside}": ""}, run=run).harm is harm


def test_more_in_a_file_than_any_order_leaves_is_mixed() -> None:
    assert judged({**BOTH, "work/c.json: c": "1"}).harm is Harm.MIXED


def test_a_refusal_leaves_what_the_other_call_leaves_alone() -> None:
    found = judged(ONE, second=1, run=a_run(1, stderr="locked"))

    assert (found.harm, found.refused) == (None, 1)
    assert "exit 1: locked" in found.detail


def test_the_stopped_call_may_be_the_one_that_is_refused() -> None:
    assert judged(OTHER, first=1, run=a_run(1), loser=0).refused == 0


def test_a_refusal_with_a_traceback_is_a_crash() -> None:
    assert judged(ONE, second=1, run=a_run(1, stderr=TRACEBACK)).harm is Harm.CRASH


def test_a_traceback_that_ends_in_a_lock_error_is_a_refusal() -> None:
    words = f"{TRACEBACK}\nsqlite3.OperationalError: database is locked"

    assert judged(ONE, second=1, run=a_run(1, stderr=words)).refused == 1


def test_a_call_that_fails_and_is_applied_is_harm_of_its_own() -> None:
    assert judged(BOTH, second=1, run=a_run(1)).harm is Harm.FAILED_BUT_APPLIED


def test_a_failed_call_that_leaves_files_is_told_by_them() -> None:
    found = judged({**ONE, "work/t": ""}, second=1, run=a_run(1))

    assert found.harm is Harm.LEFTOVER


def test_a_refused_call_may_leave_temporary_files_in_nobodys_way() -> None:
    assert judged({**ONE, "tmp/run-17/": ""}, second=1, run=a_run(1)).refused == 1


def test_a_failed_call_that_leaves_part_of_its_effect_is_applied() -> None:
    assert judged({**ONE, "work/c.json: part": "1"}, second=1, run=a_run(1)).harm is Harm.FAILED_BUT_APPLIED


def test_a_failed_call_that_destroys_the_effect_of_the_other_is_a_lost_update() -> None:
    found = judged(BASE, second=1, run=a_run(1))

    assert (found.harm, found.lost) == (Harm.LOST_UPDATE, ("work/c.json: a",))


def test_a_failed_call_that_tears_the_file_is_told_by_that() -> None:
    entries = {"work/c.json": "", "work/c.json: (unreadable)": ""}

    assert judged(entries, second=1, run=a_run(1)).harm is Harm.TORN


def test_two_failures_where_one_call_should_win_are_harm() -> None:
    assert judged(BASE, first=1, second=1).harm is Harm.BOTH_FAILED


def test_a_call_that_does_not_end_is_stuck() -> None:
    found = judged(ONE, second=None, run=a_run(None, ended=False))

    assert (found.harm, found.detail) == (Harm.STUCK, "B did not come to an end: did not end within 1 s")


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        ((0, 0), "both calls report success, and in every serial order one of them fails"),
        ((1, 1), "the exit statuses 1 and 1 are those of no serial order"),
        ((1, 0), "the exit statuses are those of one order and the state is that of another"),
    ],
)
def test_statuses_that_do_not_go_with_the_state_are_harm(statuses: tuple[int, int], words: str) -> None:
    serial = a_serial(both=ONE, backward=OTHER, statuses=((0, 1), (1, 0)))

    found = judge(Ending(*statuses, ONE), (FINE, FINE), serial)

    assert (found.harm, found.detail) == (Harm.MIXED, words)


def test_a_value_that_no_order_leaves_is_a_lost_update() -> None:
    forward, backward = {**BASE, "work/c.json: n": "2"}, {**BASE, "work/c.json: n": "3"}
    serial = a_serial(both=forward, backward=backward)

    assert judge(Ending(0, 0, {**BASE, "work/c.json: n": "1"}), (FINE, FINE), serial).harm is Harm.LOST_UPDATE


@pytest.mark.parametrize("folder", ["xdg/cache", "work/.pytest_cache/v"])
def test_loss_of_a_cache_is_said_to_be_one(folder: str) -> None:
    both = {**BOTH, f"{folder}/x: k": "1"}

    assert judge(Ending(0, 0, BOTH), (FINE, FINE), a_serial(both=both)).cache_only


def test_a_refused_call_may_leave_lines_in_a_log() -> None:
    noisy = {**ONE, "home/.t/_logs/1.log": "", "home/.t/_logs/1.log: line 'refused'": "1"}

    assert judged(noisy, second=1, run=a_run(1)).refused == 1


def test_lines_that_a_log_loses_are_lost_all_the_same() -> None:
    both = {**BOTH, "work/app.log: line 'a'": "1", "work/app.log: line 'b'": "1"}
    found = judge(Ending(0, 0, {**BOTH, "work/app.log: line 'a'": "1"}), (FINE, FINE), a_serial(both=both))

    assert found.lost == ("work/app.log: line 'b'",)


def test_a_line_that_is_there_too_often_is_mixed_and_not_called_gone() -> None:
    once, twice = ({"work/log": "", "work/log: line 'k1'": number} for number in "12")

    found = judge(Ending(0, 0, twice), (FINE, FINE), a_serial(both=once))

    assert (found.harm, found.lost) == (Harm.MIXED, ())
    assert "more often" in found.detail


def test_a_value_that_every_order_leaves_otherwise_is_lost_and_not_called_gone() -> None:
    found = judge(Ending(0, 0, BASE), (FINE, FINE), a_serial(both={**BASE, "work/c.json: base": "2"}))

    assert (found.harm, found.lost) == (Harm.LOST_UPDATE, ("work/c.json: base",))
    assert "is not as any serial order leaves it" in found.detail
