"""Arguments, numbers of calls and times with which code takes another turn."""

import threading
import time
import types
from collections.abc import Callable

import pytest

from racehound.scenario.candidates import Candidates
from racehound.scenario.turning import LONG, looks_at_clock, numbers_counted_to, turns_of

Load = Callable[[str], types.ModuleType]


class Wallet:
    def __init__(self, fee: int = 2, limit: float = 0.5) -> None:
        self.balance = 100
        self.fee = fee
        self.limit = limit
        self.kept = time.monotonic()
        self.lock = threading.Lock()

    def pay(self, amount: int) -> bool:
        return self.balance >= amount

    def charge(self, fee: int = 1, *, tip: int = 7) -> bool:
        return fee == self.fee or tip > 3

    def run(self, command: str) -> int:
        if command == "stop":
            return 0
        match command:
            case "go" | "wait":
                return 1
        return 2 if "back" != command else 3  # noqa: SIM300 - either side may be the parameter

    def many(self, count: int) -> bool:
        return len(str(count)) > 12 or -3 < count  # noqa: SIM300 - likewise

    def plain(self, other: object) -> bool:
        return other is None or other == self.lock


class Still:
    count: int = 3

    def ask(self) -> int:
        return self.count


@pytest.mark.parametrize(
    ("text", "name", "turns"),
    [
        ("subject.pay(1)", "pay", ("subject.pay(100)", "subject.pay(99)", "subject.pay(101)")),
        ("await subject.pay(1)", "pay", tuple(f"await subject.pay({n})" for n in (100, 99, 101))),
        ("subject.charge(1)", "charge", ("subject.charge(2)",)),
        ("subject.charge()", "charge", ()),
        ("subject.run('a')", "run", tuple(f"subject.run('{word}')" for word in ("stop", "go", "wait", "back"))),
        ("subject.many(1)", "many", tuple(f"subject.many({n})" for n in (-3, -4, -2))),
        ("subject.plain(1)", "plain", ()),
        ("list(subject)", "plain", ()),
    ],
)
def test_arguments_are_those_that_the_code_compares_with(text: str, name: str, turns: tuple[str, ...]) -> None:
    found = turns_of(text, getattr(Wallet, name), Wallet)

    assert sorted(found) == sorted(turns)


def test_functions_without_source_have_no_turns() -> None:
    assert turns_of("len(1)", len, None) == ()


def test_functions_of_a_module_have_turns_of_their_own() -> None:
    assert turns_of("pay(1)", Wallet.pay, None) == ()
    assert set(turns_of("spend(1)", spend, None)) == {"spend(5)", "spend(4)", "spend(6)"}


def spend(amount: int) -> bool:
    return amount < 5


def test_numbers_are_those_that_are_kept_and_compared_with() -> None:
    assert numbers_counted_to([Wallet]) == {-3, 2, 3, 12, 100}
    assert numbers_counted_to([Still]) == set()


def test_who_asks_for_the_time_looks_at_the_clock() -> None:
    assert looks_at_clock([Wallet])
    assert not looks_at_clock([Still])


GATE = """
    import time

    class Gate:
        def __init__(self, seats: int = 100):
            self.seats = seats
            self.entered = 0
            self.is_open = False
            self.last = time.monotonic()

        def set(self, mode: str):
            self.is_open = mode == "open"

        def enter(self):
            if self.is_open and self.entered < self.seats:
                self.entered += 1

        def sweep(self):
            if time.monotonic() - self.last > 60:
                self.entered = 0
    """


def test_turns_are_raced_after_each_other_and_after_some_time(load: Load) -> None:
    module = load(GATE)
    found = [
        (scenario.setup, scenario.prefix, scenario.tasks)
        for scenario in Candidates(module, module.Gate, []).scenarios()
    ]
    enter, sweep, passed = "subject.enter()", "subject.sweep()", f"__import__('time').sleep({LONG})"

    assert ("Gate()", ("subject.set('open')",), ((enter,), (enter,))) in found
    assert ("Gate(seats=2)", (enter,), ((enter,), (enter,))) in found
    assert ("Gate()", (passed,), ((sweep,), (sweep,))) in found
    assert ("Gate()", (enter, passed), ((enter,), (sweep,))) in found


def test_time_passes_only_for_who_looks_at_it(load: Load) -> None:
    module = load(GATE.replace("time.monotonic()", "0"))

    assert not any(
        "sleep" in text for found in Candidates(module, module.Gate, []).scenarios() for text in found.prefix
    )


def test_time_passes_on_the_loop_where_that_is_what_is_raced(load: Load) -> None:
    module = load(GATE.replace("def enter", "async def enter"))
    prefixes = {scenario.prefix for scenario in Candidates(module, module.Gate, []).scenarios()}

    assert (f"await __import__('asyncio').sleep({LONG})",) in prefixes
