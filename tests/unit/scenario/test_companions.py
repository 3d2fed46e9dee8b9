import types
from collections.abc import Callable
from itertools import islice

import pytest

from racehound.model.proof import ScenarioText
from racehound.scenario.candidates import Candidates, Told

Load = Callable[[str], types.ModuleType]

SOURCE = """
    import enum
    import threading
    from dataclasses import dataclass
    from typing import TYPE_CHECKING, Self

    if TYPE_CHECKING:
        from nowhere import Unknown

    class Account:
        def __init__(self, name, balance=0):
            self.name = name
            self.balance = balance
            self.lock = threading.Lock()

        def deposit(self, amount):
            self.balance += amount

        def typed(self, whom: "Account | None" = None):
            pass

        def itself(self, whom: Self):
            pass

        def unresolved(self, whom: "Account", more: "Unknown" = 1):
            pass

        def used(self, whom, amount):
            with whom.lock:
                whom.balance += amount

        def sorted(self, whom):
            first, second = sorted((self, whom), key=lambda each: each.name)

        def told_apart(self, whom):
            return id(self) < id(whom)

        def tested(self, whom):
            return isinstance(whom, Account)

        def strange(self, whom):
            return whom.balance + whom.nothing_of_ours

        def plain(self, config):
            return config.name, config.get("a")

        def __lt__(self, other):
            return self.balance < other.balance

        def __add__(self, amount):
            return self.balance + amount

    class Savings(Account):
        pass

    class Bank:
        def move(self, source, sink, amount):
            source.balance -= amount
            sink.balance += amount

        def look(self, account: Account):
            return account.balance

    class Picky:
        def __init__(self, number: int, limit=0):
            if number != 1 or limit:
                raise ValueError(number)

        def join(self, other: "Picky"):
            pass

    class Worker:
        def __init__(self, function):
            self.function = function

        def join(self, other: "Worker"):
            pass

    @dataclass
    class Point:
        x: int = 0

        def meet(self, other):
            other.x = self.x

    def move(source: Account, sink: Account):
        source.balance -= 1
        sink.balance += 1

    def look(account: Account):
        return account.balance

    class Color(enum.Enum):
        RED = 1

    def paint(color: Color):
        pass
"""


WORKER = "Worker((lambda *args, **kwargs: None))"


def raced(module: types.ModuleType, kind: str | None, *functions: str) -> list[ScenarioText]:
    return list(islice(Candidates(module, getattr(module, kind) if kind else None, functions).scenarios(), 150))


def tasks(scenario: ScenarioText) -> tuple[str, ...]:
    return tuple(call for task in scenario.tasks for call in task)


@pytest.mark.parametrize(
    "method", ["typed", "itself", "unresolved", "used", "sorted", "told_apart", "tested", "__lt__"]
)
def test_a_method_that_takes_another_of_its_class_is_raced_in_both_directions(load: Load, method: str) -> None:
    first, second = (tasks(scenario) for scenario in raced(load(SOURCE), "Account", method)[:2])
    more = ", 1" if method == "used" else ""

    assert first == (f"subject[0].{method}(subject[1]{more})", f"subject[1].{method}(subject[0]{more})")
    assert second == (first[0], first[0])


def test_objects_are_told_apart_by_their_arguments_and_have_plenty_the_second_time(load: Load) -> None:
    setups = dict.fromkeys(scenario.setup for scenario in raced(load(SOURCE), "Account", "used"))

    assert list(setups)[:2] == [
        "(Account('a'), Account('b'))",
        "(Account('a', balance=10), Account('b', balance=10))",
    ]
    assert {"Account('a')", "Account('a', balance=10)"} <= setups.keys()


@pytest.mark.parametrize(
    ("kind", "setup"),
    [
        ("Savings", "(Savings('a'), Savings('b'))"),
        ("Picky", "(Picky(1), Picky(1))"),
        ("Point", "(Point(), Point())"),
        ("Worker", f"({WORKER}, {WORKER})"),
    ],
)
def test_the_second_object_is_one_that_can_be_made(load: Load, kind: str, setup: str) -> None:
    assert raced(load(SOURCE), kind)[0].setup == setup


@pytest.mark.parametrize("method", ["strange", "plain", "__add__"])
def test_what_no_object_of_the_class_could_be_is_made_up_as_usual(load: Load, method: str) -> None:
    scenarios = raced(load(SOURCE), "Account", method)

    assert all("subject[" not in call for scenario in scenarios for call in tasks(scenario) if method in call)


def test_the_other_calls_meet_either_of_the_objects(load: Load) -> None:
    found = {tasks(scenario) for scenario in raced(load(SOURCE), "Point")}
    module = load(SOURCE)
    mixed = {tasks(scenario) for scenario in raced(module, "Account", "used")}

    assert ("subject[0].meet(subject[1])", "subject[1].meet(subject[0])") in found
    assert ("subject[0].used(subject[1], 1)", "subject[1].deposit(1)") in mixed
    assert ("subject[0].used(subject[1], 1)", "subject[0].deposit(1)") in mixed


def test_calls_on_all_objects_come_before(load: Load) -> None:
    module = load(SOURCE)
    own = {scenario.prefix for scenario in raced(module, "Account", "used")}
    others = {scenario.prefix for scenario in raced(module, "Bank", "move")}

    assert ("subject[0].deposit(1)", "subject[1].deposit(1)") in own
    assert ("subject[1].deposit(1)", "subject[2].deposit(1)") in others


def test_two_objects_of_another_class_are_shared_and_a_single_one_is_not(load: Load) -> None:
    module = load(SOURCE)

    assert raced(module, "Bank", "move")[0] == ScenarioText(
        setup="(Bank(), Account('a'), Account('b'))",
        prefix=(),
        tasks=(
            ("subject[0].move(subject[1], subject[2], 1)",),
            ("subject[0].move(subject[2], subject[1], 1)",),
        ),
    )
    assert tasks(raced(module, "Bank", "look")[0]) == ("subject.look(Account('a'))", "subject.look(Account('a'))")


def test_what_is_only_kept_and_looked_for_is_the_same_object_for_both(load: Load) -> None:
    module = load("""
        class Listener:
            pass

        class Hub:
            def __init__(self):
                self.listeners = []

            def add(self, listener: Listener, *, first: Listener | None = None):
                self.listeners.append(listener)

            def remove(self, listener: Listener):
                if listener in self.listeners:
                    self.listeners.remove(listener)

            def greet(self, listener: Listener):
                listener.greeted = True
        """)
    scenarios = [scenario for scenario in raced(module, "Hub") if scenario.setup == "(Hub(), Listener())"]

    assert (
        ScenarioText(
            setup="(Hub(), Listener())",
            prefix=("subject[0].add(subject[1])",),
            tasks=(("subject[0].remove(subject[1])",), ("subject[0].remove(subject[1])",)),
        )
        in scenarios
    )
    assert not any("greet" in call for scenario in scenarios for call in tasks(scenario))


def test_a_function_has_what_it_takes_in_common_with_itself(load: Load) -> None:
    module = load(SOURCE)

    assert tasks(raced(module, None, "move")[0]) == (
        "move(subject[0], subject[1])",
        "move(subject[1], subject[0])",
    )
    assert raced(module, None, "look")[0].setup == "(Account('a'),)"
    assert raced(module, None, "paint")[0].setup == "None"


def test_a_finding_says_which_state_is_shared(load: Load) -> None:
    module = load(SOURCE)
    first = next(iter(Candidates(module, None, ["look"], ("look", "look")).scenarios()))

    assert first.setup == "None"


def test_an_invariant_of_one_object_leaves_several_out_and_says_so(load: Load) -> None:
    module = load(SOURCE)
    candidates = Candidates(module, module.Point, [], told=Told(invariant="subject.x == 0"))

    assert all(scenario.setup.startswith("Point(") for scenario in candidates.scenarios())
    assert candidates.left_out == ["calls about several objects are not raced where an invariant speaks of one"]


@pytest.mark.parametrize("setup", ["SHARED", "made(1, 2, 3)", "Odd(1)"])
def test_a_set_up_that_does_not_tell_its_arguments_serves_for_both_objects(load: Load, setup: str) -> None:
    module = load("""
        import types

        class Odd:
            def __init__(self, frame: types.FrameType):
                pass

            def join(self, other: "Odd"):
                return self is other

        SHARED = Odd(None)

        def made(first, second, third):
            return Odd(None)
        """)
    scenarios = Candidates(module, module.Odd, [], told=Told(setup)).scenarios(setup)

    assert next(scenarios).setup == f"({setup}, {setup})"


def test_a_set_up_of_the_user_gets_nothing_added(load: Load) -> None:
    module = load(SOURCE)
    scenarios = Candidates(module, module.Account, ["deposit"], told=Told("Account('mine')")).scenarios()

    assert {scenario.setup for scenario in scenarios} == {"Account('mine')"}
