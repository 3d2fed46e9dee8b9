import types
from collections.abc import Callable

import pytest

from racehound.errors import HarnessError
from racehound.model.proof import ScenarioText
from racehound.scenario.candidates import LIMIT, Candidates
from racehound.scenario.target import find_class

Load = Callable[[str], types.ModuleType]

SOURCE = """
    import types

    total = 0

    def add(amount):
        global total
        total += amount

    async def later():
        pass

    class Base:
        def clear(self):
            self.items.clear()

    class Store(Base):
        def __init__(self, size: int = 3):
            self.items = []

        def put(self, item: str):
            self.items.append(item)

        def take(self):
            return self.items.pop()

        @property
        def size(self):
            return len(self.items)

        @staticmethod
        def version():
            return 1

        @classmethod
        def make(cls):
            return cls()

        def each(self):
            yield from self.items

        def __len__(self):
            return len(self.items)

        def _hidden(self):
            pass

        async def drain(self):
            pass

        def odd(self, frame: types.FrameType):
            pass

        label = "x"
"""


def first(candidates: Candidates) -> ScenarioText:
    return next(iter(candidates.scenarios()))


def test_the_pair_in_question_comes_first_after_every_prefix(load: Load) -> None:
    module = load(SOURCE)
    scenarios = list(Candidates(module, module.Store, ["take", "put"], ("put", "take")).scenarios())

    assert scenarios[0] == ScenarioText(
        setup="Store()", prefix=(), tasks=(("subject.put('a')",), ("subject.take()",))
    )
    pair = (("subject.put('a')",), ("subject.take()",))
    assert [item.prefix for item in scenarios if item.tasks == pair][:4] == [
        (),
        ("subject.put('a')",),
        ("subject.take()",),
        ("subject.put('a')", "subject.put('a')"),
    ]
    assert len(set(scenarios)) == len(scenarios) <= LIMIT


def test_without_wishes_all_public_operations_are_raced(load: Load) -> None:
    module = load(SOURCE)
    candidates = Candidates(module, module.Store, [])
    raced = {call for scenario in candidates.scenarios() for task in scenario.tasks for call in task}

    assert raced == {
        *("subject.put('a')", "subject.take()", "subject.size", "subject.version()", "subject.make()"),
        *("subject.put('c')", "subject.put('d')"),
        *("list(subject.each())", "subject.__len__()", "subject.clear()", "await subject.drain()"),
        "subject.put('b')",
    }
    assert any("argument 'frame' of subject.odd" in reason for reason in candidates.left_out)


def test_scenarios_beyond_the_limit_are_not_passed_over_in_silence(load: Load) -> None:
    methods = "\n".join(f"    def m{number}(self): pass" for number in range(30))
    module = load(f"class Wide:\n{methods}\n")
    candidates = Candidates(module, module.Wide, [])

    assert len(list(candidates.scenarios())) == LIMIT
    assert candidates.left_out == [f"only the first {LIMIT} scenarios were raced"]


def test_functions_race_on_the_state_of_their_module(load: Load) -> None:
    module = load(SOURCE)

    assert first(Candidates(module, None, ["add", "later"])) == ScenarioText(
        setup="None", prefix=(), tasks=(("add(1)",), ("add(1)",))
    )
    assert first(Candidates(module, None, [])).tasks[0] == ("add(1)",)


def test_class_is_found_by_its_qualified_name(load: Load) -> None:
    module = load("class Outer:\n    class Inner:\n        pass\n")

    assert find_class(module, "Outer.Inner") is module.Outer.Inner
    with pytest.raises(HarnessError, match="has no class Other; its classes are Outer"):
        find_class(module, "Other")
    with pytest.raises(HarnessError, match="it has no classes"):
        find_class(load("x = 1"), "Other")


def test_calls_are_raced_with_different_arguments_too(load: Load) -> None:
    module = load(SOURCE)
    scenarios = list(Candidates(module, module.Store, ["put"]).scenarios())

    assert (("subject.put('a')",), ("subject.put('b')",)) in [scenario.tasks for scenario in scenarios]


def test_what_is_asked_for_meets_everything_else_in_the_end(load: Load) -> None:
    module = load(SOURCE)
    scenarios = list(Candidates(module, module.Store, ["put"], ("put", "put")).scenarios())

    assert scenarios[0].tasks == (("subject.put('a')",), ("subject.put('a')",))
    assert (("subject.put('a')",), ("subject.clear()",)) in [scenario.tasks for scenario in scenarios]


def test_prefix_is_as_long_as_the_numbers_of_the_class_ask_for(load: Load) -> None:
    module = load("""
        class Breaker:
            LIMIT = 7
            EDGE = 1000

            def __init__(self, threshold: int = 5, name: str = "x"):
                pass

            def fail(self):
                pass
        """)
    lengths = {len(scenario.prefix) for scenario in Candidates(module, module.Breaker, []).scenarios()}

    assert lengths == {0, 1, 2, 3, 4, 6}


def test_syntax_of_an_object_is_raced_as_its_calls_are(load: Load) -> None:
    module = load("""
        from contextlib import asynccontextmanager, contextmanager

        class Pool:
            def __iter__(self):
                return iter(())

            def __next__(self):
                raise StopIteration

            def __enter__(self):
                return self

            def __exit__(self, *args):
                pass

            @contextmanager
            def lease(self):
                yield 1

            @asynccontextmanager
            async def hire(self):
                yield 1

            @property
            def size(self):
                return 1

            @size.setter
            def size(self, size: int):
                pass

            def call(self, function):
                pass
        """)
    candidates = Candidates(module, module.Pool, [])
    raced = {call for scenario in candidates.scenarios() for task in scenario.tasks for call in task}

    assert raced == {
        *("list(subject)", "next(subject)", "subject.size", "setattr(subject, 'size', 1)"),
        "((block := subject).__enter__(), (yield), block.__exit__(None, None, None))[0]",
        "((block := subject.lease()).__enter__(), (yield), block.__exit__(None, None, None))[0]",
        "(await (block := subject.hire()).__aenter__(), (yield), await block.__aexit__(None, None, None))[0]",
        *("setattr(subject, 'size', 2)", "subject.call((lambda *args, **kwargs: None))"),
        "subject.call((lambda *args, **kwargs: 1 / 0))",
    }


def test_syntax_of_coroutines_is_raced_after_blocks_too(load: Load) -> None:
    module = load("""
        class Stream:
            async def __aenter__(self):
                return self

            async def __aexit__(self, *args):
                pass

            def __aiter__(self):
                return self

            async def __anext__(self):
                raise StopAsyncIteration
        """)
    candidates = Candidates(module, module.Stream, [])
    scenarios = list(candidates.scenarios())

    assert {call for scenario in scenarios for task in scenario.tasks for call in task} == {
        "(await (block := subject).__aenter__(), (yield), await block.__aexit__(None, None, None))[0]",
        "await subject.__anext__()",
    }
    assert {scenario.prefix[0] for scenario in scenarios if scenario.prefix} == {
        "(await (block := subject).__aenter__(), None, await block.__aexit__(None, None, None))[0]",
        "await subject.__anext__()",
    }
    assert candidates.left_out == []


def test_arguments_that_a_call_could_do_without_are_named_as_well(load: Load) -> None:
    module = load("""
        class Events:
            def __init__(self):
                self.handlers = {}

            def on(self, event: str, *handlers):
                self.handlers.setdefault(event, []).extend(handlers)

            def off(self, event: str = None, *, timeout: float = None, loud: bool = False, **more):
                if event in self.handlers:
                    del self.handlers[event]
        """)
    scenarios = list(Candidates(module, module.Events, []).scenarios())
    on = "subject.on('a', 'a')"

    assert (("subject.off()",), ("subject.off()",)) in [scenario.tasks for scenario in scenarios]
    assert (
        ScenarioText(setup="Events()", prefix=(on,), tasks=(("subject.off('a')",), ("subject.off('a')",)))
        in scenarios
    )
    assert ((on,), ("subject.off('a')",)) in [scenario.tasks for scenario in scenarios]
    assert not any("timeout" in str(scenario) or "loud" in str(scenario) for scenario in scenarios)


def test_argument_behind_one_that_is_left_out_is_named(load: Load) -> None:
    module = load("""
        class Box:
            def put(self, loud: bool = False, item: str = None, *more):
                pass
        """)
    tasks = {scenario.tasks for scenario in Candidates(module, module.Box, []).scenarios()}

    named = "subject.put(item='a')"
    assert ((named,), (named,)) in tasks
    assert {call for task in tasks for (call,) in task} == {"subject.put()", named}


def test_argument_for_which_no_value_is_known_stays_away_if_it_can(load: Load) -> None:
    module = load("""
        import sqlite3

        class Car:
            def go(self, engine: sqlite3.Connection = None):
                pass
        """)
    candidates = Candidates(module, module.Car, [])

    assert {scenario.tasks for scenario in candidates.scenarios()} == {(("subject.go()",), ("subject.go()",))}
    assert candidates.left_out == []


def test_of_a_generator_that_never_ends_some_items_are_taken(load: Load) -> None:
    module = load("""
        class Numbers:
            def count(self):
                number = 0
                while True:
                    number += 1
                    yield number
    """)
    scenarios = Candidates(module, module.Numbers, []).scenarios()

    assert {call for scenario in scenarios for task in scenario.tasks for call in task} == {
        "[item for _, item in zip(range(3), subject.count())]"
    }


def test_asynchronous_generator_is_gone_through(load: Load) -> None:
    module = load("""
        class Feed:
            async def items(self, start: int):
                yield start
        """)
    call = "[item async for item in subject.items(1)]"
    scenarios = list(Candidates(module, module.Feed, []).scenarios())

    assert scenarios[0].tasks == ((call,), (call,))
    assert not any(scenario.prefix for scenario in scenarios)


def test_method_with_some_of_its_arguments_given_is_called_with_the_others(load: Load) -> None:
    module = load("""
        import functools

        class Counter:
            def _add(self, step: int, name: str):
                pass

            add_two = functools.partialmethod(_add, 2)
        """)
    call = "subject.add_two('a')"

    assert next(Candidates(module, module.Counter, []).scenarios()).tasks == ((call,), (call,))


def test_asynchronous_blocks_and_loops_of_an_object_are_raced(load: Load) -> None:
    module = load("""
        class Stream:
            async def __aenter__(self): return self

            async def __aexit__(self, *error): return None

            def __aiter__(self): return self

            async def __anext__(self): raise StopAsyncIteration
        """)
    calls = {call for scenario in Candidates(module, module.Stream, []).scenarios() for (call,) in scenario.tasks}

    assert calls == {
        "(await (block := subject).__aenter__(), (yield), await block.__aexit__(None, None, None))[0]",
        "await subject.__anext__()",
    }


def test_functions_that_decorators_have_made_objects_of_are_called_too(load: Load) -> None:
    module = load("""
        import functools

        class Once:
            def __init__(self, function):
                self.function = function

            def __call__(self, number: int):
                return self.function(number)

        @Once
        def made(number):
            return [number]

        @functools.lru_cache
        def kept(number: int):
            return [number]
        """)
    raced = {name: next(Candidates(module, None, [name]).scenarios()).tasks for name in ("made", "kept")}

    assert raced == {"made": (("made(1)",), ("made(1)",)), "kept": (("kept(1)",), ("kept(1)",))}


def test_calls_with_new_arguments_are_raced_after_old_ones(load: Load) -> None:
    module = load("""
        class Cache:
            def get(self, key: str): ...

            def clear(self): ...
        """)
    raced = {(scenario.prefix, scenario.tasks) for scenario in Candidates(module, module.Cache, []).scenarios()}

    assert (("subject.get('a')",), (("subject.get('b')",), ("subject.get('b')",))) in raced
    assert (("subject.get('a')",), (("subject.get('b')",), ("subject.clear()",))) in raced
