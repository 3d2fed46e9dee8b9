"""Scenarios that come when the usual ones have shown nothing, and the tests that are written of some of them."""

import types
from collections.abc import Callable

from racehound.model.proof import ScenarioText
from racehound.scenario.calls import CallMaker
from racehound.scenario.candidates import Candidates
from racehound.scenario.regression import Target, regression_test
from racehound.scenario.target import find_class

Load = Callable[[str], types.ModuleType]

SOURCE = """
    import threading

    class Shelf:
        def __init__(self, room: int = 2, name: str | None = None):
            self.room = room
            self.name = name
            self.items = {}

        def put(self, key, item=None, *, quietly=False):
            if key == "reserved" or len(self.items) >= self.room:
                raise ValueError(key)
            self.items[key] = item

        def take(self, key):
            return self.items.pop(key, None)

        @property
        def left(self):
            return self.room - len(self.items)

        @left.setter
        def left(self, value):
            self.room = value + len(self.items)

    class Kind(type):
        pass

    class Apple(metaclass=Kind):
        pass

    def restock(shelf: Shelf, count=1):
        shelf.put("a", count)
"""


def shelf(load: Load) -> Candidates:
    module = load(SOURCE)
    return Candidates(module, find_class(module, "Shelf"), ["put"])


def test_values_that_the_code_speaks_of_are_raced(load: Load) -> None:
    found = list(shelf(load).pointed(["put", "left"], "Shelf()"))

    assert any("'reserved'" in call for item in found for task in item.tasks for call in task)
    assert {item.setup for item in found} == {"Shelf()"}


def test_calls_are_repeated_more_often_than_is_worth_it_for_all(load: Load) -> None:
    found = list(shelf(load).repeated("Shelf()"))

    assert max(len(item.prefix) for item in found) > 4
    assert any("name='" in item.setup for item in found), {item.setup for item in found}


def test_objects_are_made_with_more_and_with_larger_numbers(load: Load) -> None:
    module = load(SOURCE)
    maker = CallMaker(module, find_class(module, "Shelf"))

    assert maker.setup() == "Shelf()"
    assert any("name=" in text for text in maker.fuller())
    assert CallMaker(module, find_class(module, "Kind")).fuller() == []
    assert CallMaker(module, find_class(module, "Kind")).larger() == []
    assert CallMaker(module, None).larger() == []


def test_what_needs_a_number_is_made_with_larger_ones(load: Load) -> None:
    module = load("class Ring:\n    def __init__(self, size: int):\n        self.slots = [None] * size\n")

    assert CallMaker(module, find_class(module, "Ring")).larger()


def test_who_sets_a_property_races_too(load: Load) -> None:
    calls = [call.text for call in CallMaker(load(SOURCE), find_class(load(SOURCE), "Shelf")).calls("left")]

    assert calls == ["subject.left", "setattr(subject, 'left', 1)"]


def test_methods_that_are_asked_for_as_functions_are_called_on_an_object_each(load: Load) -> None:
    calls = [call.text for call in CallMaker(load(SOURCE), None).calls("take")]

    assert calls
    assert all(text.startswith("Shelf().take(") for text in calls)


def written(scenario: ScenarioText, module: str = "shop.shelf", root: str = "src") -> str:
    return regression_test(scenario, Target(module, root), class_name="Shelf")


def test_a_test_of_coroutines_lets_others_come_in_between() -> None:
    twice = ("await subject.put('a')", "await subject.take('a')")
    scenario = ScenarioText(
        setup="Shelf()", prefix=("await subject.open()",), tasks=(twice, ("await subject.take('a')",))
    )
    text = written(scenario)

    assert "async def task_0(subject):\n    yield await subject.put('a')\n" in text
    assert "async def task_1(subject):\n    return await subject.take('a')\n" in text
    assert "await subject.open()" in text
    assert "asyncio.run(before())" not in text


def test_a_test_of_threads_runs_a_coroutine_before_them() -> None:
    block = "(await (block := subject.room('a')).__aenter__(), None, await block.__aexit__(None, None, None))[0]"
    text = written(ScenarioText(setup="Shelf()", prefix=(block,), tasks=(("subject.take('a')",),) * 2))

    assert "async with subject.room('a'):" in text
    assert "asyncio.run(before())" in text


def test_a_test_of_threads_names_what_it_imports() -> None:
    text = written(
        ScenarioText(setup="Shelf()", prefix=("subject.put('a')",), tasks=(("subject.take('a')",),) * 2),
        "2nd.shelf",
    )

    assert "Shelf = import_module('2nd.shelf').Shelf" in text
    compile(text, "test", "exec")
