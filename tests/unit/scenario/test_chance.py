"""What is drawn by chance is compared as far as it can be."""

import os
import secrets
from collections.abc import Callable

import pytest

from racehound import explore
from racehound.scenario.chance import NO_CHANCE, WORKED_OUT, chance_in
from racehound.scenario.snapshot import Snapshot


class Session:
    """Makes its token when it is asked for the first time."""

    def __init__(self, draw: Callable[[], object]) -> None:
        self._draw = draw
        self.token: object = None

    def ask(self) -> object:
        if self.token is None:
            self.token = self._draw()
        return self.token


class Account:
    """Hands out a token and remembers nothing."""

    def __init__(self) -> None:
        self.last = ""

    def ask(self) -> str:
        token = secrets.token_hex(8)
        self.last = token
        return token


class Numbers:
    """Names that hold a number which two may draw."""

    def __init__(self) -> None:
        self.drawn = 0
        self.names: list[str] = []

    def name(self) -> None:
        number = self.drawn
        self.drawn = 1
        self.names.append(f"{os.urandom(8).hex()}:{number}")


class Sum:
    """Adds what is drawn; that nothing is lost cannot be seen from the outside."""

    def __init__(self) -> None:
        self.total = 0

    def add(self) -> None:
        more = int.from_bytes(os.urandom(4), "big")
        self.total += more


def as_text() -> str:
    return secrets.token_hex(8)


def as_bytes() -> bytes:
    return os.urandom(8)


@pytest.mark.parametrize("draw", [as_text, as_bytes])
def test_token_that_is_made_twice_is_a_race(draw: Callable[[], object]) -> None:
    assert explore(setup=lambda: Session(draw), workers=[Session.ask, Session.ask]).verdict == "race"


def test_tokens_of_which_the_last_one_stays_are_no_race() -> None:
    explore(setup=Account, workers=[Account.ask, Account.ask]).assert_safe()


def test_what_stands_beside_a_token_is_compared() -> None:
    assert explore(setup=Numbers, workers=[Numbers.name, Numbers.name]).verdict == "race"


def test_sum_of_what_is_drawn_is_not_called_safe() -> None:
    result = explore(setup=Sum, workers=[Sum.add, Sum.add])

    assert result.verdict == "sampled"
    assert WORKED_OUT.format("state.total") in result.proof.reason


TWICE: tuple[Snapshot, Snapshot] = (
    {"a": "'x-11111111-1'", "b": "'11111111'", "c": "'1'", "same": "7"},
    {"a": "'x-22222222-1'", "b": "'22222222'", "c": "'2'", "same": "7"},
)


@pytest.mark.parametrize(
    ("seen", "explained"),
    [
        ({"a": "'x-33333333-1'", "b": "'33333333'", "c": "'3'"}, True),
        ({"a": "'x-33333333-1'", "b": "'33333333'"}, True),
        ({"a": "'x-33333333-1'", "b": "'44444444'", "c": "'3'"}, False),
        ({"a": "'x-33333333-2'", "b": "'33333333'", "c": "'3'"}, False),
        ({"a": "'x 33333333'", "b": "'33333333'", "c": "'3'"}, True),
    ],
)
def test_words_are_equal_where_they_are_in_serial_runs(seen: Snapshot, explained: bool) -> None:
    assert chance_in([TWICE]).explains(seen, TWICE[0]) is explained


def test_places_of_equal_words_tell_nothing_where_they_change_by_themselves() -> None:
    chance = chance_in([TWICE, (TWICE[0], {**TWICE[1], "b": "'99999999'"})])

    assert chance.explains({"a": "'x-33333333-1'", "b": "'44444444'"}, TWICE[0])


def test_nothing_is_known_where_nothing_differs() -> None:
    assert chance_in([(TWICE[0], TWICE[0])]) == NO_CHANCE
    assert NO_CHANCE.explains(TWICE[0], TWICE[1])
    assert not NO_CHANCE.caveats
