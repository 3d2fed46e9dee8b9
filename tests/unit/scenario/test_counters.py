"""Numbers that are drawn one by one, from one execution to the next."""

import itertools
import types
from collections.abc import Callable

import pytest

from racehound.model.proof import ScenarioText, Verdict
from racehound.scenario.counters import counters_in
from racehound.scenario.plan import plan_of
from racehound.scenario.prover import Prover

SOURCE = """
    import itertools

    DRAWN = itertools.count(1)

    def endless():
        yield from itertools.count()

    class Ticket:
        numbers = itertools.count(10)
        next_number = itertools.count().__next__
        held = {"numbers": itertools.count()}
        endless = endless()
        last = 0

        def of_module(self):
            Ticket.last = next(DRAWN)
            return Ticket.last

        def of_class(self):
            Ticket.last = next(self.numbers)
            return Ticket.last

        def asked(self):
            Ticket.last = Ticket.next_number()
            return Ticket.last

        def in_dictionary(self):
            Ticket.last = next(self.held["numbers"])
            return Ticket.last

        def alone(self):
            return next(self.numbers)

        def of_generator(self):
            return next(self.endless)
"""


@pytest.mark.parametrize(
    ("call", "verdict"),
    [
        ("of_module", Verdict.RACE),
        ("of_class", Verdict.RACE),
        ("asked", Verdict.RACE),
        ("in_dictionary", Verdict.RACE),
        ("alone", Verdict.SAFE),
    ],
)
def test_counters_begin_anew_in_each_execution(
    load: Callable[[str], types.ModuleType], call: str, verdict: Verdict
) -> None:
    module = load(SOURCE)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    tasks = ((f"subject.{call}()",), (f"subject.{call}()",))
    proof = prover.prove([ScenarioText(setup="Ticket()", prefix=(), tasks=tasks)], seconds=20)
    prover.close()

    assert proof.verdict is verdict, proof
    assert proof.masked == ()


def test_what_goes_on_by_itself_is_not_called_safe(load: Callable[[str], types.ModuleType]) -> None:
    module = load(SOURCE)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    tasks = (("subject.of_generator()",), ("subject.last",))
    proof = prover.prove([ScenarioText(setup="Ticket()", prefix=(), tasks=tasks)], seconds=20)
    prover.close()

    assert proof.verdict is Verdict.SAMPLED
    assert "goes on from one execution to the next" in proof.reason


@pytest.mark.parametrize("counter", [itertools.count(), itertools.count(3), itertools.count(0.5, 2)])
def test_another_counter_begins_where_the_first_one_was(counter: "itertools.count[float]") -> None:
    held: dict[str, object] = {"counter": counter}
    next(counter)
    [found] = counters_in(held, held.__setitem__)
    expected = next(counter)

    found.put_back()

    assert held["counter"] is not counter
    assert next(held["counter"]) == expected  # type: ignore[call-overload]  # a counter
