import array
import asyncio
import collections
import datetime as dt
import decimal
import enum
import functools
import io
import itertools
import pathlib
import sqlite3
import threading
import uuid
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.scenario.data import is_data
from racehound.scenario.render import render, short
from racehound.scenario.snapshot import CUT, capture, differing_paths, without


class Node:
    def __init__(self, value: object) -> None:
        self.value = value


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self) -> None:
        self.left = 1


class Color(enum.Enum):
    RED = 1


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(VALUES, VALUES)
def test_snapshots_are_equal_exactly_when_the_values_are(one: object, other: object) -> None:
    same = repr(one) == repr(other) or (one == other and type(one) is type(other) and not isinstance(one, int))
    unlike_numbers = "True" in repr((one, other)) or "False" in repr((one, other))

    if same:
        assert capture({"state": one}) == capture({"state": other}) or unlike_numbers
    elif one != other:
        assert capture({"state": one}) != capture({"state": other})


def test_attributes_slots_and_items_are_seen() -> None:
    leaves = capture({"state": Node({"a": [1, Slotted()]})})

    assert leaves["state.value['a'][0]"] == "1"
    assert leaves["state.value['a'][1].left"] == "1"
    assert "state.value['a'][1].right" not in leaves


def test_empty_slot_is_not_filled_by_looking() -> None:
    class Lazy:
        __slots__ = ("made",)

        def __getattr__(self, name: str) -> object:
            raise RuntimeError(name)

    lazy = Lazy()

    assert "state.made" not in capture({"state": lazy})
    Lazy.made.__set__(lazy, 1)  # type: ignore[attr-defined]  # a slot
    assert capture({"state": lazy})["state.made"] == "1"


def test_where_a_built_in_object_keeps_something_is_no_part_of_it() -> None:
    leaves = capture({"state": functools.partial(print, 1)})

    assert leaves["state.args[0]"] == "1"
    assert not any("offset" in path for path in leaves)


def test_the_same_object_twice_is_told_from_two_equal_ones() -> None:
    node = Node(1)

    assert capture({"results": [node, node]}) != capture({"results": [Node(1), Node(1)]})


def test_cycles_end() -> None:
    node = Node(None)
    node.value = node

    assert capture({"state": node})["state.value"] == "same as state"


def test_order_counts_where_it_means_something() -> None:
    assert capture({"s": {"a": 1, "b": 2}}) == capture({"s": {"b": 2, "a": 1}})
    assert capture({"s": collections.OrderedDict(a=1, b=2)}) != capture({"s": collections.OrderedDict(b=2, a=1)})
    assert capture({"s": {1, 2, 3}}) == capture({"s": {3, 2, 1}})
    assert capture({"s": [1, 2]}) != capture({"s": [2, 1]})


def test_locks_exceptions_functions_modules_and_threads_have_a_form() -> None:
    lock = ControlledLock()
    lock.acquire()
    leaves = capture(
        {"lock": lock, "error": KeyError("k"), "f": capture, "m": enum, "t": threading.Thread(), "e": Color.RED}
    )

    assert leaves["lock"] == "<locked lock>"
    assert leaves["error.args[0]"] == "'k'"
    assert (leaves["f"], leaves["m"]) == ("capture", "enum")
    assert "RED" in leaves["e"]
    assert not any(path.startswith("t.") for path in leaves)


def test_huge_states_are_cut() -> None:
    leaves = capture({"state": list(range(70_000))})

    assert CUT in leaves
    assert len(leaves) < 60_000


def test_masked_paths_are_not_compared() -> None:
    first, second = capture({"s": {"a": 1, "t": 5}}), capture({"s": {"a": 1, "t": 6}})
    masked = differing_paths(first, second)

    assert masked == {"s['t']"}
    assert without(first, masked) == without(second, masked)


def test_code_is_not_data() -> None:
    assert is_data("count", 0)
    assert not is_data("__doc__", "text")
    assert not is_data("helper", capture)
    assert not is_data("kind", property(capture))


def test_state_is_rendered_without_addresses_and_locks() -> None:
    class Breaker:
        def __init__(self) -> None:
            self.lock = ControlledLock()
            self.failures = {"a": (1,)}
            self.disabled: set[str] = set()
            self.names = frozenset({"x"})
            self.pair = (1, 2)
            self.release = self.lock.release

    shown = render(Breaker())

    assert shown.endswith("Breaker(failures={'a': (1,)}, disabled=set(), names={'x'}, pair=(1, 2))")
    assert render(object()) == "object"


def test_deep_wide_and_long_states_are_cut_when_shown() -> None:
    nested: object = 1
    for _ in range(8):
        nested = Node(nested)

    assert "…" in render(nested)
    assert render(list(range(100))).endswith("…]")
    assert len(short("x" * 200)) == 60


def test_models_go_by_the_name_of_what_they_stand_for() -> None:
    locks = {"a": ControlledLock(), "b": ControlledRLock()}

    assert render(locks) == "{'a': Lock(), 'b': RLock()}"
    assert render([ControlledRLock, int]) == "[<class 'RLock'>, <class 'int'>]"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (decimal.Decimal(1), decimal.Decimal(2)),
        (dt.date(2026, 1, 1), dt.date(2026, 1, 2)),
        (array.array("i", [1]), array.array("i", [2])),
        (uuid.UUID(int=1), uuid.UUID(int=2)),
        (pathlib.PurePath("a"), pathlib.PurePath("b")),
        (itertools.count(1), itertools.count(2)),
        ({object(): 1}, {object(): 1, object(): 1}),
        ({object()}, {object(), object()}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_of_every_type_are_compared(one: object, other: object) -> None:
    assert capture({"state": one}) != capture({"state": other})


def test_attributes_of_enum_members_count_and_namespaces_do_not_bring_python_along() -> None:
    before = capture({"state": Color.RED})
    Color.RED.hits = 1  # type: ignore[attr-defined]  # the point
    after = capture({"state": Color.RED})
    del Color.RED.hits  # type: ignore[attr-defined]
    namespace: dict[str, object] = {}
    exec("x = 1", namespace)  # noqa: S102 - fills in the built-in names

    assert before != after
    assert len(capture({"state": namespace})) < 10


def test_bound_methods_lead_to_their_object() -> None:
    assert capture({"state": Slotted().__init__})["state.__self__.left"] == "1"  # type: ignore[misc]


def test_numbers_and_texts_of_a_class_of_their_own_keep_their_attributes() -> None:
    class Name(str):
        __slots__ = ("hits",)
        hits: int

    one, other = Name("x"), Name("x")
    one.hits, other.hits = 0, 1

    assert capture({"state": one}) != capture({"state": other})


def test_content_that_only_the_object_itself_can_show_is_part_of_the_state() -> None:
    text, node = io.StringIO("abc"), Node(1)
    database = sqlite3.connect(":memory:")
    database.execute("create table t (n int)")
    closed = sqlite3.connect(":memory:")
    closed.close()

    found = capture({"text": text, "weak": weakref.ref(node), "database": database, "closed": closed})
    database.execute("insert into t values (1)")
    node.value = 2
    text.read()
    changed = capture({"text": text, "weak": weakref.ref(node), "database": database, "closed": closed})
    database.close()

    assert differing_paths(found, changed) == {"content of text", "weak().value", "content of database"}


class Talkative(collections.OrderedDict[str, int]):
    """Counts how often it is asked."""

    asked = 0

    def items(self) -> Any:
        type(self).asked += 1
        return super().items()

    def __len__(self) -> int:
        type(self).asked += 1
        return super().__len__()

    def __iter__(self) -> Any:
        type(self).asked += 1
        return super().__iter__()


def test_looking_does_not_call_the_program() -> None:
    talkative = Talkative()
    talkative["b"] = 1
    talkative["a"] = 2
    talkative.move_to_end("b")
    Talkative.asked = 0

    found = capture({"it": talkative})

    assert (found["order of it"], found["len(it)"]) == ("'a', 'b'", "2")
    assert render(talkative) == "Talkative({'a': 2, 'b': 1})"
    assert Talkative.asked == 0


def test_container_that_holds_itself_is_shown_up_to_a_depth() -> None:
    ring: list[object] = [1]
    ring.append(ring)

    assert render(ring, depth=1) == "[1, [1, …]]"


class Guarded:
    def __init__(self) -> None:
        self.condition = threading.Condition(threading.Lock())

    def __repr__(self) -> str:
        with self.condition:
            return "never"


def test_what_would_wait_for_a_lock_is_not_asked_for_its_text() -> None:
    guarded = Guarded()

    with guarded.condition:
        assert render([guarded]).startswith("[Guarded(")


def test_what_stands_for_an_object_that_is_gone_can_be_shown() -> None:
    holder = Node(weakref.proxy(Node(1)))

    assert render(holder) == "Node(value=ProxyType)"
    assert capture({"state": holder})["state.value"] == "ProxyType"


def test_machinery_is_shown_by_its_kind_alone() -> None:
    thread = threading.Thread(target=print)
    thread.owner = "me"  # type: ignore[attr-defined]  # what programs do

    with ThreadPoolExecutor(1) as pool:
        assert render([pool, thread]) == "[ThreadPoolExecutor, Thread(owner='me')]"


def test_weak_tables_of_tasks_tell_nothing_of_the_tasks() -> None:
    async def nothing() -> None: ...

    async def shown() -> dict[str, str]:
        by_task: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        tasks: weakref.WeakSet[object] = weakref.WeakSet()
        task = asyncio.ensure_future(nothing())
        by_task[task] = 1
        tasks.add(task)
        found = capture({"by task": vars(by_task)["data"], "tasks": vars(tasks)["data"]})
        await task
        return found

    found = asyncio.run(shown())

    assert found["len(by task)"] == found["len(tasks)"] == "0"


class Folder(pathlib.PurePosixPath):
    """With something of its own."""

    def note(self, text: str) -> "Folder":
        self.said = text
        return self


def test_path_is_told_by_its_text_whatever_it_keeps_to_be_quicker() -> None:
    fresh, used = pathlib.Path("a") / "b", pathlib.Path("a") / "b"
    assert {str(used), hash(used), used.name, used.suffix, used == pathlib.Path("c")}

    assert capture({"state": fresh}) == capture({"state": used})
    assert capture({"state": fresh}) != capture({"state": pathlib.Path("a")})
    assert capture({"state": Folder("a").note("x")}) != capture({"state": Folder("a").note("y")})


def test_what_a_deque_holds_is_shown() -> None:
    trail = collections.deque([Node(1)], maxlen=2)

    assert render(Node(trail)) == "Node(value=deque([Node(value=1)], maxlen=2))"
    assert render([[[[collections.deque([1])]]]], depth=3) == "[[[[…]]]]"
    assert render(collections.deque()) == "deque([])"
