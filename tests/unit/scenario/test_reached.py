"""Whether the accused operations have met."""

from types import SimpleNamespace

import pytest

from racehound.engine.execution import Trace
from racehound.instrument.sites import SITES, Site
from racehound.scenario.reached import Place, Reached

READ = Place("/stock.py", 3, 3, "self.left")
WRITE = Place("/stock.py", 5, 6, "self.left")


def trace(*events: tuple[int, int]) -> Trace:
    """Tasks and the lines of their operations."""
    sites = [(task, SITES.add(Site("/stock.py", line, 0, "self.left"))) for task, line in events]
    found = Trace()
    found.events = [(task, SimpleNamespace(site=site, inner=[])) for task, site in sites]  # type: ignore[misc]  # no more is asked for
    return found


@pytest.mark.parametrize(
    ("traces", "told"),
    [
        ([trace((0, 3), (1, 6))], None),
        ([trace((0, 3)), trace((1, 5))], "no two tasks have met in lines 3 and 5"),
        ([trace((0, 3), (0, 5))], "no two tasks have met in lines 3 and 5"),
        ([trace((0, 3), (1, 4))], "nothing was seen of `self.left` in line 5"),
    ],
)
def test_both_have_to_run_in_tasks_of_their_own(traces: list[Trace], told: str | None) -> None:
    reached = Reached([READ, WRITE])

    for each in traces:
        reached.note(each)

    assert reached.missing() == told


def test_one_operation_meets_itself_in_two_tasks() -> None:
    reached = Reached([WRITE])

    reached.note(trace((0, 5)))
    assert reached.missing() == "no two tasks have met in line 5"
    reached.note(trace((0, 5), (1, 5)))
    assert reached.missing() is None


def test_where_nothing_is_accused_nothing_is_missing() -> None:
    assert Reached([]).missing() is None
