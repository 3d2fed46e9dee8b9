"""Objects that are full before they are raced."""

import types
from collections.abc import Callable

import pytest

from racehound.model.proof import ScenarioText
from racehound.scenario.calls import Call
from racehound.scenario.candidates import Candidates
from racehound.scenario.filling import filled, varied

SOURCE = """
    class Cache:
        def __init__(self, name="x", size=128, depth=1):
            self.size = size
            self.held = {}

        def put(self, key: str, value: int):
            if len(self.held) >= self.size:
                self.held.popitem()
            self.held[key] = value
"""


@pytest.mark.parametrize(
    ("text", "third"),
    [
        ("subject.put('a', 1)", "subject.put('c', 1)"),
        ("subject.put(1)", "subject.put(3)"),
        ("subject.put('key')", "subject.put('key2')"),
        ("await subject.put('a')", "await subject.put('c')"),
        ("subject.put(True)", "subject.put(True)"),
        ("subject.put([])", "subject.put([])"),
        ("subject.size", "subject.size"),
        (
            "[item for _, item in zip(range(3), subject.count())]",
            "[item for _, item in zip(range(3), subject.count())]",
        ),
    ],
)
def test_first_argument_is_another_each_time(text: str, third: str) -> None:
    assert varied(text, 2) == third


def test_pairs_are_raced_on_what_different_calls_have_filled() -> None:
    put, get = Call("subject.put('a')"), Call("subject.get('a')")

    assert list(filled("Cache()", [put, Call("subject.size")], [(get, put)])) == [
        ScenarioText(setup="Cache()", prefix=("subject.put('a')", "subject.put('b')"), tasks=((one,), (other,)))
        for one, other in [("subject.get('a')", "subject.put('c')"), ("subject.get('c')", "subject.put('d')")]
    ]


def test_what_has_room_for_much_is_made_small(load: Callable[[str], types.ModuleType]) -> None:
    module = load(SOURCE)
    setups = {scenario.setup for scenario in Candidates(module, module.Cache, []).scenarios()}

    assert setups == {"Cache()", "Cache(size=2)"}
