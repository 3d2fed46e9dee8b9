from racehound.engine.company import EVERY_ROUND, FEW_ROUNDS
from racehound.engine.control import CONTROL, FEW
from racehound.engine.explorer import Search
from racehound.errors import HarnessError
from racehound.scenario.judge import InvariantJudge
from racehound.scenario.more_rounds import MANY, settle_rounds
from racehound.scenario.searched import Searched


def searched(*caveats: str, executions: int = 10, exhausted: bool = True, failure: str | None = None) -> Searched:
    search = Search(executions=executions, exhausted=exhausted, failure=failure, caveats=set(caveats))
    return Searched(search, InvariantJudge(None, bool), None)  # type: ignore[arg-type]  # nothing is judged


def test_search_that_ends_with_more_rounds_takes_the_place_of_the_first() -> None:
    granted: list[int] = []

    def more() -> Searched:
        granted.append(CONTROL.rounds)
        return searched(executions=5)

    settled = settle_rounds(searched(FEW_ROUNDS), more).search

    assert (settled.executions, settled.caveats) == (15, set())
    assert (granted, CONTROL.rounds) == ([MANY], FEW)


def test_what_fails_with_more_rounds_is_said_and_no_race() -> None:
    settled = settle_rounds(searched(FEW_ROUNDS, "other"), lambda: searched(failure="it breaks")).search

    assert settled.failure is None
    assert settled.caveats == {"other", "if a task in the background has more rounds, it breaks"}


def test_search_that_is_cut_short_or_breaks_says_nothing_new() -> None:
    def breaks() -> Searched:
        raise HarnessError("too much")

    first = searched(FEW_ROUNDS)

    assert settle_rounds(first, breaks) is first
    assert settle_rounds(first, lambda: searched(exhausted=False)).search.caveats == {FEW_ROUNDS}
    assert settle_rounds(first, lambda: searched(FEW_ROUNDS)).search.caveats == {FEW_ROUNDS}


def test_no_more_rounds_where_they_are_not_what_is_missing() -> None:
    for found in (
        searched(),
        searched(FEW_ROUNDS, EVERY_ROUND),
        searched(FEW_ROUNDS, exhausted=False),
        searched(FEW_ROUNDS, failure="it breaks"),
    ):
        assert settle_rounds(found, lambda: searched(executions=1)) is found
