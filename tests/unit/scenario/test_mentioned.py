"""Arguments that a function itself speaks of."""

from racehound.scenario.mentioned import MOST, apart, mentioned, with_none_of_any, with_one_of_each


class Store:
    SIZE = 8

    def __init__(self, room: int = 20) -> None:
        self.room = room
        self.stock = {"apple": 1}
        self.names = ["eve"]

    def put(self, count: int) -> bool:
        return self.room >= count and count < self.SIZE

    def sell(self, item: str, mode: str) -> bool:
        return item in self.stock and mode == "cash"

    def greet(self, name: str) -> int:
        return self.names.index(name)

    def many(self, key: int) -> bool:
        match key:
            case 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8:
                return True
        return False

    def silent(self, amount: int) -> int:
        return amount + 1


def test_numbers_are_just_within_a_limit_and_a_little_more_than_half_of_it() -> None:
    assert [dict(each) for each in mentioned(Store.put, Store)] == [
        {"count": "20"},
        {"count": "11"},
        {"count": "8"},
        {"count": "5"},
    ]


def test_several_parameters_are_tried_together_first() -> None:
    assert [dict(each) for each in mentioned(Store.sell, Store)] == [
        {"item": "'apple'", "mode": "'cash'"},
        {"item": "'apple'"},
        {"mode": "'cash'"},
    ]


def test_what_is_looked_up_is_there() -> None:
    assert [dict(each) for each in mentioned(Store.greet, Store)] == [{"name": "'eve'"}]


def test_no_function_has_more_than_a_few_variants() -> None:
    assert len(mentioned(Store.many, Store)) == MOST


def test_a_function_that_compares_nothing_says_nothing() -> None:
    assert mentioned(Store.silent, Store) == []


def test_code_without_source_says_nothing() -> None:
    names: dict[str, object] = {}
    exec("def made(amount): return amount > 10", names)  # noqa: S102 - code that no file has

    assert mentioned(names["made"], None) == []  # type: ignore[arg-type]  # a function


def test_things_are_told_apart_where_a_call_names_one_twice() -> None:
    assert apart("subject.move('a', 'a', 1)", "subject.move('b', 'b', 2)") == "subject.move('a', 'b', 1)"
    assert apart("await subject.move('a', 'a')", "await subject.move('b', 'b')") == "await subject.move('a', 'b')"
    assert apart("subject.move('a', 1)", "subject.move('b', 2)") is None
    assert apart("list(subject.all('a', 'a'))", "list(subject.all('b', 'b'))") is None


def test_of_what_there_is_none_by_default_there_is_one() -> None:
    def opened(name: str, amount: int = 0, rate: float = 0.0, limit: int = 9) -> None: ...

    assert with_one_of_each("opened('a', rate=2.0)", opened) == "opened('a', rate=2.0, amount=1)"
    assert with_none_of_any("opened('a')", opened) == "opened('a', limit=0)"
