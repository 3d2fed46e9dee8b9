"""Calls about two things that are told by their names."""

import pytest

from racehound.scenario.calls import Call
from racehound.scenario.crossed import Crossed, about_two, crossed

TRANSFER = Call("subject.transfer('a', 'a', 1)", "subject.transfer('b', 'b', 2)")
OPEN = Call("subject.open('a')", "subject.open('b')")


def test_the_two_are_exchanged_and_all_else_stays() -> None:
    assert crossed(TRANSFER) == [
        Crossed(
            "subject.transfer('a', 'a', 1)",
            "subject.transfer('a', 'b', 1)",
            "subject.transfer('b', 'a', 1)",
            meeting=("subject.transfer('a', 'c', 1)", "subject.transfer('b', 'c', 1)"),
        )
    ]


def test_what_is_awaited_is_awaited() -> None:
    call = Call("await subject.swap(1, 1)", "await subject.swap(2, 2)")

    assert [pair.backward for pair in crossed(call)] == ["await subject.swap(2, 1)"]


def test_of_three_the_second_is_another_one_and_the_third_and_both() -> None:
    call = Call("subject.move('a', 'a', 'a')", "subject.move('b', 'b', 'b')")

    assert [pair.forward for pair in crossed(call)] == [
        "subject.move('a', 'b', 'a')",
        "subject.move('a', 'a', 'b')",
        "subject.move('a', 'b', 'b')",
    ]


@pytest.mark.parametrize(
    "call",
    [
        OPEN,
        Call("subject.count()"),
        Call("subject.put('a', 1)", "subject.put('b', 2)"),
        Call("subject.run(1.0, (lambda *args: None))", "subject.run(2.0, (lambda *args: 1))"),
        Call("[item for item in subject]", "[item for item in subject.x]"),
        Call("subject.paint(True, True)", "subject.paint(False, False)"),
    ],
)
def test_a_call_about_one_thing_has_nothing_to_exchange(call: Call) -> None:
    assert crossed(call) == []
    assert not list(about_two([call], [call], lambda _: ()))


def test_both_are_there_before() -> None:
    richer = ("subject.open('a', balance=1)", "subject.open('b', balance=1)")
    found = list(about_two([TRANSFER], [TRANSFER, OPEN], lambda _: [richer]))
    both_ways = ("subject.transfer('a', 'b', 1)", "subject.transfer('b', 'a', 1)")

    assert found[0] == ((), both_ways)
    assert (("subject.open('a')", "subject.open('b')"), both_ways) in found
    assert (richer, both_ways) in found
    assert (richer, ("subject.transfer('a', 'b', 1)", "subject.open('a')")) in found
    assert (("subject.open('a')",), ("subject.transfer('a', 'b', 1)", "subject.open('b')")) in found


def test_one_may_have_brought_the_two_together_before() -> None:
    there = ("subject.open('a')", "subject.open('b')")
    undo = Call("subject.undo('a', 'a', 1)", "subject.undo('b', 'b', 2)")
    found = list(about_two([TRANSFER, undo], [TRANSFER, undo, OPEN], lambda _: ()))

    assert (
        (*there, "subject.transfer('a', 'b', 1)"),
        ("subject.transfer('b', 'a', 1)", "subject.undo('a', 'b', 1)"),
    ) in found
