from hypothesis import given
from hypothesis import strategies as st

from racehound.engine.operation import SHAPE, WHOLE, Effect, Kind, ObjectId, Operation

PARTS = st.sampled_from(["a", "b", 1, WHOLE, SHAPE])
EFFECTS = st.builds(Effect, st.integers(0, 1).map(ObjectId), PARTS, st.booleans())
OPERATIONS = st.builds(lambda effects: Operation(Kind.CALL, tuple(effects)), st.lists(EFFECTS, max_size=3))


def write(part: object) -> Operation:
    return Operation(Kind.WRITE, (Effect(ObjectId(1), part, writes=True),))


def read(part: object, subject: int = 1) -> Operation:
    return Operation(Kind.READ, (Effect(ObjectId(subject), part, writes=False),))


@given(OPERATIONS, OPERATIONS)
def test_dependence_is_mutual(one: Operation, other: Operation) -> None:
    assert one.depends_on(other) == other.depends_on(one)


def test_two_reads_do_not_depend_on_each_other() -> None:
    assert not read("a").depends_on(read("a"))


def test_a_write_depends_on_what_touches_the_same_part() -> None:
    assert write("a").depends_on(read("a"))
    assert write("a").depends_on(write("a"))
    assert not write("a").depends_on(read("b"))
    assert not write("a").depends_on(read("a", subject=2))


def test_the_whole_meets_every_part() -> None:
    assert write("a").depends_on(read(WHOLE))
    assert write(WHOLE).depends_on(read("a"))
    assert write(SHAPE).depends_on(read(WHOLE))
    assert not write(SHAPE).depends_on(read("a"))


def test_operation_tells_whether_it_may_block() -> None:
    assert Operation(Kind.ACQUIRE, (), ready=lambda: True).blocks
    assert not Operation(Kind.READ, ()).blocks


def test_operation_shows_what_it_is_about() -> None:
    assert repr(Operation(Kind.READ, (), label="total")) == "<read total>"
    assert "WHOLE" in repr(write(WHOLE))
