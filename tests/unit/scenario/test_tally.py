"""What is remembered of the scenarios of one target, and what it comes to."""

from time import monotonic

import pytest

from racehound.model.proof import ScenarioText, Verdict
from racehound.scenario.serial import TOO_SLOW, NeverEnding
from racehound.scenario.tally import HARNESS, NOTHING_TO_RACE, Tally, conclude, up_to

SERVE, LOOK = "subject.serve()", "subject.look()"


def scenario(*calls: str, prefix: tuple[str, ...] = ()) -> ScenarioText:
    return ScenarioText(setup="Thing()", prefix=prefix, tasks=tuple((call,) for call in calls))


def test_what_does_not_end_against_itself_is_not_tried_against_others() -> None:
    tally = Tally()

    tally.note_endless(scenario(SERVE, LOOK), NeverEnding("for ever"))
    assert not tally.is_endless(scenario(SERVE, LOOK))

    tally.note_endless(scenario(SERVE, SERVE, prefix=(LOOK,)), NeverEnding("for ever"))
    assert not tally.is_endless(scenario(SERVE, SERVE))

    tally.note_endless(scenario(SERVE, SERVE), NeverEnding("for ever"))
    assert tally.is_endless(scenario(LOOK, LOOK, prefix=(SERVE,)))
    assert not tally.is_endless(scenario(LOOK, LOOK))


def test_what_holds_slow_calls_is_put_off_and_come_back_to() -> None:
    tally = Tally()
    slow = scenario(SERVE, LOOK)

    tally.note_slow(slow)

    assert not tally.puts_off(scenario(LOOK, LOOK))
    assert not tally.cut
    assert tally.puts_off(scenario(LOOK, SERVE, prefix=(LOOK,)))
    assert tally.cut
    assert list(tally.reopened(monotonic() + 60)) == [slow]
    assert not tally.puts_off(slow)


def test_nothing_is_come_back_to_when_time_is_over() -> None:
    tally = Tally(unfinished=[scenario(LOOK, LOOK)], scenarios=1)
    tally.note_slow(scenario(SERVE, SERVE))

    assert list(tally.reopened(monotonic() - 1)) == []
    assert (tally.scenarios, len(tally.unfinished), len(tally.slow)) == (1, 1, 1)


def test_what_was_left_out_for_want_of_time_is_never_called_safe() -> None:
    tally = Tally(scenarios=3, executions=9, telling=True)
    assert conclude(tally, "serial outcomes").verdict is Verdict.SAFE

    tally.leave_out(scenario(SERVE))

    assert tally.is_endless(scenario(SERVE, LOOK))
    assert conclude(tally, "serial outcomes").verdict is Verdict.SAMPLED


@pytest.mark.parametrize(
    ("tally", "verdict", "reason"),
    [
        (Tally(), Verdict.INCONCLUSIVE, NOTHING_TO_RACE),
        (Tally(unmade=True, obstacles=["no such thing"]), Verdict.INCONCLUSIVE, "no such thing"),
        (Tally(slow={frozenset({SERVE}): scenario(SERVE, SERVE)}), Verdict.INCONCLUSIVE, TOO_SLOW),
        (Tally(scenarios=1, idle=["it only waits"]), Verdict.INCONCLUSIVE, "it only waits"),
        (Tally(scenarios=1, telling=True, bound=2), Verdict.BOUNDED, up_to(2)),
        (
            Tally(scenarios=1, executions=4, telling=True, untaken="`x` was never false"),
            Verdict.SAMPLED,
            "no failure in 4 executions, but `x` was never false: say with --op which calls bring that about",
        ),
        (
            Tally(scenarios=2, executions=1, telling=True, on_loop=True),
            Verdict.SAFE,
            "1 execution exhausted every interleaving of 2 scenarios on one event loop",
        ),
    ],
)
def test_verdict_says_what_it_rests_on(tally: Tally, verdict: Verdict, reason: str) -> None:
    proof = conclude(tally, "serial outcomes")

    assert (proof.verdict, proof.reason) == (verdict, reason)
    assert proof.oracle == (HARNESS if tally.unmade else "serial outcomes")


def test_calls_that_never_fit_are_told_with_those_that_were_strange() -> None:
    tally = Tally(misfits={"put": "put(1) raises TypeError", "get": "get('a') raises TypeError"}, fitting={"get"})
    tally.strange["peek"] = "peek('a') raises AttributeError in some order"

    assert tally.never_run == ["put(1) raises TypeError", "peek('a') raises AttributeError in some order"]
