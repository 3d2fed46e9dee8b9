import pytest

from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.engine.sharing import Opaque, caveats_of_sharing
from racehound.engine.trace import Event, Trace
from racehound.model.schedule import TaskId

SHARED = ObjectId(7)


LOCK, OTHER = ObjectId(1), ObjectId(2)
REASON = "cannot be looked into"
UNSEEN = Opaque(REASON)

USE = Operation(Kind.WRITE, (Effect(SHARED, WHOLE, writes=True),), site=1)


def on(lock: ObjectId, kind: Kind) -> Operation:
    return Operation(kind, (Effect(lock, WHOLE, writes=True),))


def caveats(*steps: tuple[int, Operation], opaque: Opaque = UNSEEN) -> set[str]:
    trace = Trace(events=[Event(TaskId(task), operation) for task, operation in steps])
    return caveats_of_sharing(trace, {SHARED: opaque})


def holding(task: int, lock: ObjectId, kind: Kind = Kind.ACQUIRE) -> list[tuple[int, Operation]]:
    """The task uses the object while it holds the lock."""
    return [(task, on(lock, kind)), (task, USE), (task, on(lock, Kind.RELEASE))]


def test_opaque_object_matters_only_if_it_is_shared() -> None:
    assert not caveats((0, USE), (0, USE))
    assert caveats((0, USE), (1, USE)) == {REASON}


def test_one_lock_around_every_use_makes_up_for_what_is_not_seen() -> None:
    assert not caveats(*holding(0, LOCK), *holding(1, LOCK))


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([*holding(0, LOCK), *holding(1, OTHER)], id="two locks"),
        pytest.param([*holding(0, LOCK), (1, USE)], id="one of them holds none"),
        pytest.param([*holding(0, LOCK), *holding(1, LOCK), (0, USE)], id="used again later"),
        pytest.param([*holding(0, LOCK), *holding(1, LOCK, Kind.TRY_ACQUIRE)], id="may not have got it"),
        pytest.param([*holding(0, LOCK), *holding(1, LOCK, Kind.TAKE)], id="a semaphore may have many places"),
        pytest.param(
            [*holding(0, LOCK), (1, on(LOCK, Kind.ACQUIRE)), (0, on(LOCK, Kind.RELEASE)), (1, USE)],
            id="given back by another",
        ),
    ],
)
def test_anything_less_does_not(steps: list[tuple[int, Operation]]) -> None:
    assert caveats(*steps) == {REASON}


def test_what_is_outside_is_not_guarded_by_a_lock() -> None:
    opaque = Opaque(REASON, guardable=False)

    assert caveats(*holding(0, LOCK), *holding(1, LOCK), opaque=opaque) == {REASON}


def test_what_a_coroutine_takes_it_may_give_back_in_the_same_turn() -> None:
    turn = Operation(Kind.AWAIT, USE.effects)
    turn.late = True
    turn.inner += [on(LOCK, Kind.ACQUIRE), USE, on(LOCK, Kind.RELEASE)]

    assert caveats(*holding(0, LOCK), (1, turn)) == {REASON}


LOOK = Operation(Kind.READ, (Effect(SHARED, WHOLE, writes=False),), site=1)
LOOKED_AT = Opaque(REASON, changes=False)


def test_what_is_only_looked_at_unseen_matters_where_somebody_changes_it() -> None:
    assert not caveats((0, LOOK), (1, LOOK), opaque=LOOKED_AT)
    assert caveats((0, LOOK), (1, USE), opaque=LOOKED_AT) == {REASON}


def test_use_that_may_have_changed_something_outweighs_one_that_has_not() -> None:
    assert LOOKED_AT.and_also(UNSEEN) is UNSEEN
    assert UNSEEN.and_also(LOOKED_AT) is UNSEEN
