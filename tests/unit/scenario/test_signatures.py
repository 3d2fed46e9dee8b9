from typing import Any

import pytest

from racehound.scenario.arguments import ArgumentBuilder
from racehound.scenario.signatures import hints_for, maker_of, signature_of


class Base:
    def __init__(self, age: int, log: str | None = None, *, size: int) -> None:
        self.age = [age, log, size]


class Plain(Base):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)


class Named(Base):
    def __init__(self, name: str, *args: Any, **options: Any) -> None:
        super().__init__(1, *args, **options)
        self.name = name


class Deep(Named):
    def __init__(self, *args: Any, flag: bool = False, **options: Any) -> None:
        super().__init__(*args, log="x", **options)
        self.flag = flag


class InOrder(Base):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args, size=3)


class Keeping(Base):
    """Hands on some of what it is given, and so says nothing of the rest."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, size=1)
        self.options = options


class Table(dict[str, str]):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)


class Inherited(Plain):
    pass


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Base, ["age", "log", "size"]),
        (Plain, ["age", "log", "size"]),
        (Named, ["name", "log", "size"]),
        (Deep, ["name", "flag", "size"]),
        (InOrder, ["age", "log"]),
        (Keeping, ["args", "options"]),
        (Table, ["args", "options"]),
        (Inherited, ["age", "log", "size"]),
        (len, ["obj"]),
    ],
)
def test_names_what_is_to_be_given(kind: type, names: list[str]) -> None:
    assert list(signature_of(kind).parameters) == names


def test_what_a_base_takes_keeps_its_hints_and_its_code() -> None:
    assert hints_for(Deep)["age"] is int
    assert maker_of(Deep, "size") is Base.__init__
    assert maker_of(Deep, "flag") is Deep.__init__
    assert maker_of(Deep, "nothing of the kind") is Deep.__init__


@pytest.mark.parametrize("kind", [Plain, Named, Deep, InOrder, Inherited])
def test_what_is_made_up_can_be_called(kind: type) -> None:
    text = ArgumentBuilder(globals()).call(kind.__name__, kind, skip_first=False)

    assert isinstance(eval(text), kind), text  # noqa: S307 - text of ours
