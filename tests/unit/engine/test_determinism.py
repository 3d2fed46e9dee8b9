from collections.abc import Iterator
from itertools import count

from racehound.engine.control import CONTROL
from racehound.engine.determinism import UNSTEADY
from racehound.engine.explorer import Explorer
from racehound.engine.operation import Kind, Operation
from racehound.strategies.dpor import Dpor


def body_that_changes(numbers: Iterator[int]) -> None:
    execution = CONTROL.here()
    assert execution is not None
    for _ in range(1 + next(numbers) % 3):
        execution.step(Operation(Kind.YIELD, ()))


def test_program_that_never_does_the_same_is_noticed_after_a_single_execution(explorer: Explorer) -> None:
    numbers = count()

    search = explorer.search(lambda: [lambda: body_that_changes(numbers)], Dpor(), lambda _: None, seconds=10)

    assert (search.executions, search.exhausted, search.caveats) == (1, True, {UNSTEADY})


def test_steady_program_has_no_caveat(explorer: Explorer) -> None:
    search = explorer.search(
        lambda: [lambda: body_that_changes(iter([1]))] * 2, Dpor(), lambda _: None, seconds=10
    )

    assert (search.executions, search.exhausted, search.caveats) == (1, True, set())
