"""Loops in an interleaving take no more room than two of their rounds."""

import pytest

from racehound.model.proof import Step
from racehound.reporters.folding import Gap, folded
from racehound.reporters.wording import rows


def step(line: int, value: int, *, task: int = 0, switch: bool = False) -> Step:
    return Step(
        task=task,
        path="ring.py",
        line=line,
        source=f"line {line}",
        operation="write",
        target=f"self.items.append({value})",
        value=str(value),
        switch=switch,
    )


def test_rounds_between_the_first_and_the_last_are_counted() -> None:
    loop = [step(line, count) for count in range(100) for line in (2, 3)]

    found = list(folded([step(1, 0), *loop, step(4, 0)]))

    assert found == [step(1, 0), *loop[:2], Gap(0, 98), *loop[-2:], step(4, 0)]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_few_rounds_are_all_shown(rounds: int) -> None:
    loop = [step(2, count) for count in range(rounds)]

    assert list(folded(loop)) == loop


def test_switch_into_the_middle_of_a_loop_stays_in_sight() -> None:
    first = [step(2, count) for count in range(10)]
    second = [step(2, count, switch=count == 10) for count in range(10, 20)]

    found = list(folded([*first, *second]))

    assert found == [first[0], Gap(0, 8), first[-1], second[0], Gap(0, 8), second[-1]]


def test_gap_has_a_row_of_its_own_in_the_column_of_its_task() -> None:
    drawn = list(rows([step(2, count, task=1) for count in range(9)], length=40))

    assert [row.source for row in drawn] == ["line 2", "⋮ 7 more rounds of this loop", "line 2"]
    assert {row.task for row in drawn} == {1}
