"""State in places where nobody looks first: it is compared, or the verdict says that it was not."""

import contextvars
from collections.abc import Callable
from typing import Any

import pytest

from racehound import explore


def _counting() -> Callable[[], None]:
    count = 0

    def count_one() -> None:
        nonlocal count
        count += 1

    return count_one


def _passing_on(function: Callable[[], None]) -> Callable[[], None]:
    def inner() -> None:
        function()

    return inner


def _counting_in_a_class() -> Callable[[], None]:
    class Kept:
        count = 0

    def count_one() -> None:
        Kept.count += 1

    return count_one


count_in_a_class = _counting_in_a_class()


class Box:
    def __init__(self) -> None:
        self.count = 0

    def count_one(self) -> None:
        self.count += 1


class InnerClass:
    class Inner:
        class Innermost:
            count = 0

    def work(self) -> None:
        self.Inner.Innermost.count += 1


class ClassOfAnInnerClass:
    class Inner:
        count = 0

        @classmethod
        def count_one(cls) -> None:
            cls.count += 1

    def work(self) -> None:
        self.Inner.count_one()


class MadeClass:
    def __init__(self) -> None:
        class Base:
            count = 0

        class Made(Base):
            def count_one(self) -> None:
                Base.count += 1

        self.made = Made()

    def work(self) -> None:
        self.made.count_one()


class ClassOnRequest:
    def __init__(self) -> None:
        self.kind: Any = type("Kind", (), {"count": 0})

    def work(self) -> None:
        self.kind.count += 1


class ClassInAClosure:
    def work(self) -> None:
        count_in_a_class()


class Descriptor:
    def __init__(self) -> None:
        self.values = {"value": 0}

    def __get__(self, owner: object, kind: type | None = None) -> int:
        return self.values["value"]

    def __set__(self, owner: object, value: int) -> None:
        self.values["value"] = value


class DescriptorWithValues:
    value = Descriptor()

    def work(self) -> None:
        self.value = self.value + 1


class FunctionWithinAFunction:
    def __init__(self) -> None:
        self.count_one = _passing_on(_passing_on(_counting()))

    def work(self) -> None:
        self.count_one()


class ItemOfASet:
    def __init__(self) -> None:
        self.boxes = {Box()}

    def work(self) -> None:
        for box in self.boxes:
            box.count += 1


class MethodInASet:
    def __init__(self) -> None:
        self.listeners = {Box().count_one}

    def work(self) -> None:
        for listener in self.listeners:
            listener()


class KeyOfADictionary:
    def __init__(self) -> None:
        self.boxes = {("box", Box()): 1}

    def work(self) -> None:
        for _, box in self.boxes:
            box.count += 1


class OtherDictionary:
    """Shows something else than what it holds."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def __dict__(self) -> dict[str, object]:  # type: ignore[override]  # on purpose
        return {}

    def work(self) -> None:
        self.count += 1


class BehindAVariable:
    box = contextvars.ContextVar("box", default=[0])  # noqa: B039 - that it is shared is the point

    def work(self) -> None:
        self.box.get()[0] += 1


HIDDEN = [
    OtherDictionary,
    InnerClass,
    ClassOfAnInnerClass,
    MadeClass,
    ClassOnRequest,
    ClassInAClosure,
    DescriptorWithValues,
    FunctionWithinAFunction,
    ItemOfASet,
    MethodInASet,
    KeyOfADictionary,
    BehindAVariable,
]


@pytest.mark.parametrize("kind", HIDDEN)
def test_lost_update_in_a_hidden_place_is_a_race(kind: type) -> None:
    result = explore(setup=kind, workers=[kind.work, kind.work])  # type: ignore[attr-defined]  # all of them have it

    assert result.verdict == "race", result.describe()


class BehindACause:
    def __init__(self) -> None:
        self.error = ValueError()
        self.error.__cause__ = KeyError([0])

    def work(self) -> None:
        cause = self.error.__cause__
        if cause is not None:
            cause.args[0][0] += 1


def test_what_changes_and_is_not_compared_keeps_a_search_from_being_called_safe() -> None:
    result = explore(setup=BehindACause, workers=[BehindACause.work, BehindACause.work])

    assert result.verdict == "sampled"
    assert "a list is shared and changed, and is not part of the state that is compared" in result.proof.reason


class Discarded:
    """What only the operations themselves have known is nobody's state afterwards."""

    def __init__(self) -> None:
        self.boxes: list[list[int]] = [[0]]

    def work(self) -> None:
        if self.boxes:
            box = self.boxes.pop()
            box[0] += 1
            del box


def test_what_nobody_can_get_at_afterwards_need_not_be_compared() -> None:
    def empty(subject: Discarded) -> None:
        subject.boxes.clear()

    result = explore(setup=Discarded, workers=[empty, empty])

    assert result.verdict == "safe", result.describe()


def test_state_of_an_inner_class_is_put_back_between_executions() -> None:
    before = InnerClass.Inner.Innermost.count

    explore(setup=InnerClass, workers=[InnerClass.work, InnerClass.work])

    assert InnerClass.Inner.Innermost.count == before
