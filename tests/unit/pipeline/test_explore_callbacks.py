"""What built-in functions do to values that they take, and what runs where a function or a class is defined."""

import types
from collections.abc import Callable

import pytest

from racehound import explore

Load = Callable[[str], types.ModuleType]

PRELUDE = """
    import abc
    import contextlib
    import functools
    import heapq
    import itertools
    import operator
    import threading
    import typing
    import weakref

    LOCK = threading.Lock()

    class Job:
        def __init__(self, name, rank):
            self.name, self.rank = name, rank

    class Box(typing.Generic[typing.TypeVar("T")]):
        count = 0

    def jobs():
        return Job("a", 1), Job("b", 2)

    def promote(jobs):
        jobs[0].rank = 3
        jobs[0].rank = 1

    def lists():
        return [[0], [0]]

    def fill(lists):
        lists[0][0] = 1
        lists[1][0] = 1

    def generic():
        @functools.singledispatch
        def shown(value):
            return "something"
        return shown
"""

TAKING = {
    "if any(q for q in state): return state[0].pop()": "[[1]]",
    "if all(q for q in state): return state[0].pop()": "[[1]]",
    "for q in filter(None, state): return q.pop()": "[[1]]",
    "for q in itertools.filterfalse(None, [state]): return q.append(1)": "[]",
    "for q in itertools.compress(state, state): return q.pop()": "[[1]]",
    "class One:\n        def one(self, n=state.pop() if state else 0): return n\n    return One().one()": "[1]",
    "if not state:\n        @state.append\n        def one(): pass\n        return True": "[]",
    "for one in iter(functools.partial(state.get, 0), None):\n        del state[0]\n        return one": "{0: 1}",
    "with contextlib.ExitStack() as stack:\n        stack.callback(state.update, n=state['n'] + 1)": "{'n': 0}",
    "one = Job('a', 1)\n    weakref.finalize(one, state.update, n=state['n'] + 1)\n    del one": "{'n': 0}",
    "if not state:\n        one = Job(0, 1)\n        r = weakref.ref(one, state.append)\n        del one": "[]",
    "if int not in state.registry:\n        state.register(int, str)\n        return True": "generic()",
}
"""What each of two tasks does, and what to."""

LOOKING = {
    "list(itertools.accumulate(state))[-1]": ("lists()", "fill"),
    "len(list(itertools.groupby(state)))": ("lists()", "fill"),
    "sum((item for item in state), [])": ("lists()", "fill"),
    "max(item for item in state) == min(item for item in state)": ("lists()", "fill"),
    "[job.name for job in sorted(state, key=operator.attrgetter('rank'))]": ("jobs()", "promote"),
    "max(state, key=lambda job: [job.rank]).name": ("jobs()", "promote"),
    "max(state[0], state[1], key=operator.attrgetter('rank')).name": ("jobs()", "promote"),
    "heapq.nlargest(1, state, operator.attrgetter('rank'))[0].name": ("jobs()", "promote"),
    "(lambda own: (own.sort(key=operator.attrgetter('rank')), own[0].name))(list(state))": ("jobs()", "promote"),
    "'aa'.translate(state)": ("{97: 'b'}", "lambda state: (state.update({97: 'c'}), state.update({97: 'd'}))"),
    "b'ab'.find(state)": ("bytearray(b'b')", "lambda state: (state.extend(b'x'), state.clear())"),
    "len(state)": ("[]", "lambda state: state.extend(item for item in (1, 2))"),
    "len(state) % 2": ("{}", "lambda state: state.update((item, 1) for item in 'ab')"),
    "state(1), state(1)": ("generic()", "lambda state: state.register(int, lambda value: 'number')"),
}
"""What one task finds while another changes something."""


def _raced(load: Load, setup: str, first: str, second: str) -> str:
    program = load(f"{PRELUDE}\n    def setup(): return {setup}\n{first}\n    second = {second}\n")
    return explore(setup=program.setup, workers=[program.first, program.second], budget=20).verdict


@pytest.mark.parametrize("body", TAKING)
def test_two_tasks_that_look_and_take_are_a_race(load: Load, body: str) -> None:
    indented = body.replace("\n", "\n    ")
    assert _raced(load, TAKING[body], f"    def first(state):\n        {indented}", "first") == "race"


@pytest.mark.parametrize("expression", LOOKING)
def test_what_is_looked_at_halfway_is_a_race(load: Load, expression: str) -> None:
    setup, other = LOOKING[expression]
    assert _raced(load, setup, f"    def first(state): return {expression}", other) == "race"


@pytest.mark.parametrize("expression", LOOKING)
def test_locked_it_is_none(load: Load, expression: str) -> None:
    setup, other = LOOKING[expression]
    first = f"    def first(state):\n        with LOCK: return {expression}\n"
    first += f"    def other(state):\n        with LOCK: return ({other})(state)"
    assert _raced(load, setup, first, "other") in ("safe", "sampled")


def test_part_of_a_list_is_replaced_by_what_another_holds_then(load: Load) -> None:
    first = "    def first(state):\n        one, two = [0], [0]\n        one[:] = state\n        two[:] = state"
    first += "\n        return one == two"
    second = "lambda state: (state.append(1), state.append(2))"
    assert _raced(load, "[]", first, second) == "race"


def test_half_filled_list_is_seen(load: Load) -> None:
    first = "    def first(state):\n        state += (item for item in (1, 2))"
    assert _raced(load, "[]", first, "len") == "race"


def test_object_that_is_matched_under_its_own_lock_is_safe(load: Load) -> None:
    first = """
    class Account:
        def __init__(self):
            self.balance, self.lock = 10, threading.Lock()

    def first(account):
        with account.lock:
            match account:
                case Account(balance=balance) if balance:
                    account.balance = 0
                    return True
    """
    assert _raced(load, "Account()", first, "first") == "safe"


def test_sorting_copies_a_list_at_once(load: Load) -> None:
    first = "    def first(state): return sorted(state, key=lambda item: -item)"
    assert _raced(load, "[3, 1]", first, "lambda state: operator.setitem(state, slice(None), [5, 6])") != "race"


def test_alias_of_a_class_hands_attributes_on(load: Load) -> None:
    first = "    def first(state):\n        Box[int].count += 1\n        return Box.count"
    assert _raced(load, "setattr(Box, 'count', 0)", first, "first") == "race"


def test_class_registered_with_an_abstract_one_is_not_called_safe(load: Load) -> None:
    setup = "(abc.ABCMeta('Base', (), {}), type('One', (), {}))"
    first = "    def first(state):\n        base, one = state\n        if not issubclass(one, base):"
    first += "\n            base.register(one)\n            return True"
    assert _raced(load, setup, first, "first") == "sampled"


def test_argument_called_key_is_no_function(load: Load) -> None:
    assert _raced(load, "{}", "    def first(state): state.update(key=1)", "first") == "safe"


def test_future_that_the_set_up_returns_is_raced(load: Load) -> None:
    program = load("""
        import asyncio

        async def setup():
            return asyncio.get_running_loop().create_future()

        async def answer(future):
            if not future.done():
                await asyncio.sleep(0)
                future.set_result(1)
    """)

    assert explore(setup=program.setup, workers=[program.answer] * 2, budget=20).verdict == "race"
