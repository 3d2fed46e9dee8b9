"""Bodies run under control, their every outcome, and the same stories told by the originals."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.engine.strategy import SearchStrategy
from racehound.primitives.mirrors import installed
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Outcome = tuple[str, tuple[object, ...]]
Control = Callable[[Body], Trace]
Both = Callable[[Body], tuple[object, object]]
Outcomes = Callable[[Callable[[], Sequence[Body]]], set[Outcome]]


@pytest.fixture(name="explorer")
def _explorer() -> Iterator[Explorer]:
    explorer = Explorer()
    with installed():
        yield explorer
    explorer.close()


@pytest.fixture(name="control")
def _control(explorer: Explorer) -> Control:
    """One body under control, with all that it starts."""
    return lambda body: explorer.run(lambda: [body], Guided([]))


def told(story: Body) -> object:
    """What a story returns, or the exception that ends it."""
    try:
        return story()
    except Exception as error:  # noqa: BLE001 - to be compared
        return type(error).__name__, str(error)


@pytest.fixture(name="both")
def _both() -> Both:
    """The story as the originals tell it, and as it is told under control."""

    def tell(story: Body) -> tuple[object, object]:
        plain = told(story)
        with installed():
            explorer = Explorer()
            trace = explorer.run(lambda: [lambda: told(story)], Guided([]))
            explorer.close()
        assert trace.broken_by is None
        assert trace.ending is Ending.COMPLETE, trace.blocked
        assert trace.tasks[0].error is None
        return plain, trace.tasks[0].result

    return tell


def _seen(explorer: Explorer, make: Callable[[], Sequence[Body]], strategy: SearchStrategy) -> set[Outcome]:
    seen: set[Outcome] = set()

    def note(trace: Trace) -> None:
        results = () if trace.ending is not Ending.COMPLETE else tuple(task.result for task in trace.tasks)
        seen.add((trace.ending.value, results[: len(make())]))

    search = explorer.search(make, strategy, note, seconds=20)
    assert search.exhausted, search.broken_by
    return seen


@pytest.fixture(name="outcomes")
def _outcomes(explorer: Explorer) -> Outcomes:
    """Every outcome of the bodies; the reduced search must see what brute force sees."""

    def outcomes(make: Callable[[], Sequence[Body]]) -> set[Outcome]:
        brute = _seen(explorer, make, DepthFirst())
        assert _seen(explorer, make, Dpor()) == brute
        return brute

    return outcomes
