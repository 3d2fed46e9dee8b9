from collections.abc import Hashable

from racehound.engine.operation import START, WHOLE, Effect, Kind, ObjectId, Operation
from racehound.model.schedule import TaskId
from racehound.strategies.symmetry import NOTHING, Twins

A, B, C = TaskId(0), TaskId(1), TaskId(2)
PENDING = {A: START, B: START, C: START}


def read(subject: int = 0, part: Hashable = WHOLE, *, site: int = 0) -> Operation:
    return Operation(Kind.READ, (Effect(ObjectId(subject), part, writes=False),), site=site)


def write(subject: int = 0, part: Hashable = WHOLE) -> Operation:
    return Operation(Kind.WRITE, (Effect(ObjectId(subject), part, writes=True),))


def test_younger_waits_until_the_elder_has_made_the_step() -> None:
    twins = Twins([0, 0, 1])

    assert [twins.waits(task, PENDING) for task in (A, B, C)] == [False, True, False]
    assert twins.record(A, START) == NOTHING
    assert not twins.waits(B, PENDING)
    assert twins.record(B, START) == 0
    assert twins.waits(B, PENDING)


def test_nobody_waits_for_a_task_that_has_ended() -> None:
    twins = Twins([0, 0])

    assert not twins.waits(B, {B: START})


def test_twins_part_after_a_write_that_both_have_made() -> None:
    twins = Twins([0, 0])
    twins.record(A, write())

    assert twins.record(B, write()) == 0
    assert not twins.waits(B, PENDING)


def test_twins_part_when_somebody_writes_between_their_reads() -> None:
    twins = Twins([0, 0, 1])
    twins.record(A, read())
    twins.record(C, write())
    twins.record(B, read())

    assert not twins.waits(B, PENDING)


def test_write_elsewhere_does_not_part_twins() -> None:
    twins = Twins([0, 0, 1])
    twins.record(A, read(part="a"))
    twins.record(C, write(part="b"))
    twins.record(B, read(part="a"))

    assert twins.waits(B, PENDING)


def test_objects_of_their_own_do_not_part_twins() -> None:
    twins = Twins([0, 0])
    twins.record(A, write(1))
    twins.record(B, write(2))

    assert twins.waits(B, PENDING)


def test_object_that_a_third_task_knows_parts_twins() -> None:
    twins = Twins([0, 0, 1])
    twins.record(A, write(1))
    twins.record(C, read(1))
    twins.record(B, write(2))

    assert not twins.waits(B, PENDING)


def test_tasks_that_do_different_things_are_no_twins() -> None:
    twins = Twins([0, 0])
    twins.record(A, read(site=1))
    twins.record(B, read(site=2))

    assert not twins.waits(B, PENDING)


def test_younger_that_went_ahead_is_a_twin_no_more() -> None:
    twins = Twins([0, 0])

    assert twins.record(B, read()) == NOTHING
    assert not twins.waits(B, PENDING)


def test_step_that_effects_do_not_explain_parts_twins() -> None:
    twins = Twins([0, 0])
    twins.record(A, Operation(Kind.YIELD, ()))
    twins.record(B, Operation(Kind.YIELD, ()))

    assert not twins.waits(B, PENDING)
