from textwrap import dedent

import pytest

from racehound.analysis.locking.locks import LockId
from racehound.analysis.program import Program
from racehound.source.events import SELF, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts
from racehound.source.module import SourceModule


def program(text: str, path: str = "m.py") -> Program:
    return Program.of(SourceModule.from_text(dedent(text), path))


def function(whole: Program, name: str) -> FunctionFacts:
    return next(item for module in whole.modules for item in module.functions if item.qualified_name == name)


def class_named(whole: Program, name: str) -> ClassFacts:
    return next(item for item in whole.hierarchy.classes if item.name == name)


def kinds(whole: Program, owner: str, field: str) -> set[str]:
    found = whole.kinds.field(class_named(whole, owner), field)
    return {kind if isinstance(kind, str) else kind.name for kind in found}


TYPES = """
    import threading
    from collections import deque
    from dataclasses import dataclass, field

    SHARED = threading.Lock()

    class Node: pass

    def make() -> Node: ...

    def unknown(): ...

    @dataclass
    class Holder:
        lock: threading.Lock = field(default_factory=threading.Lock)
        other = None

        def __init__(self, given: Node, opaque, maybe: "Node | None" = None):
            self.made = make()
            self.built = Node()
            self.given = given
            self.maybe = maybe or Node()
            self.items = deque()
            self.table = {}
            self.flag = True
            self.count = 0
            self.shared = SHARED
            self.opaque = opaque
            self.nothing = unknown()
            self.chained = self.built.child
            self.circle = self.circle
            local = Node()
            self.local = local
            self.loop = [0][0]
            self.called = (lambda: 1)()
            self.method = self.produce()

        def produce(self) -> "Node": ...
    """


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("lock", {"threading.Lock"}),
        ("other", {"None"}),
        ("made", {"Node"}),
        ("built", {"Node"}),
        ("given", {"Node"}),
        ("maybe", {"Node"}),
        ("items", {"collections.deque"}),
        ("table", {"dict"}),
        ("flag", {"True"}),
        ("count", {"constant"}),
        ("shared", {"threading.Lock"}),
        ("opaque", set()),
        ("nothing", set()),
        ("chained", set()),
        ("circle", set()),
        ("local", {"Node"}),
        ("loop", set()),
        ("called", set()),
        ("method", {"Node"}),
    ],
)
def test_fields_are_what_is_assigned_to_them(field: str, expected: set[str]) -> None:
    assert kinds(program(TYPES), "Holder", field) - {"None"} - ({"int", "str"}) == expected - {"None"}


LOCKED = """
    import threading
    GLOBAL = threading.Lock()
    class Base:
        def __init__(self, given):
            self._lock = threading.Lock()
            self._ready = threading.Condition(self._lock)
            self._named = threading.Condition(lock=self._lock)
            self._own = threading.Condition()
            self._passed_lock = given
            self.log = open("x")
    class Derived(Base):
        def m(self, other, mutex):
            local = threading.RLock()
            def inner():
                with local: pass
    class Owner:
        def __init__(self):
            self.part = Base(None)
            self.alien = other()
    class Row:
        def __init__(self, locked_at):
            self.locked_at = locked_at
            self.locked_at = int(self.locked_at)
            self.a_lock = wrap(self.b_lock)
            self.b_lock = wrap(self.a_lock)
    class Reader:
        def __init__(self, memory: Base):
            self._memory = memory
            self._arrived = threading.Condition(memory._lock)
    """


@pytest.mark.parametrize(
    ("where", "place", "lock"),
    [
        ("Derived.m", Place(SELF, ("_lock",)), LockId("m.py::Base", "_lock")),
        ("Derived.m", Place(SELF, ("_ready",)), LockId("m.py::Base", "_lock")),
        ("Derived.m", Place(SELF, ("_named",)), LockId("m.py::Base", "_lock")),
        ("Derived.m", Place(SELF, ("_own",)), LockId("m.py::Base", "_own")),
        ("Derived.m", Place(SELF, ("_passed_lock",)), LockId("m.py::Base", "_passed_lock")),
        ("Derived.m", Place(SELF, ("log",)), None),
        ("Derived.m", Place(SELF), None),
        ("Derived.m", Place("GLOBAL"), LockId("m.py", "GLOBAL")),
        ("Derived.m", Place("local"), LockId("m.py::Derived.m", "local")),
        ("Derived.m.<locals>.inner", Place("local"), LockId("m.py::Derived.m", "local")),
        ("Derived.m", Place("mutex"), LockId("m.py::Derived.m", "mutex")),
        ("Derived.m", Place("other"), None),
        ("Owner.__init__", Place(SELF, ("part", "_lock")), LockId("m.py::Base", "_lock")),
        ("Owner.__init__", Place(SELF, ("alien", "lock")), LockId("m.py::Owner", "self.alien.lock")),
        ("Owner.__init__", Place(SELF, ("alien", "name")), None),
        ("Reader.__init__", Place(SELF, ("_arrived",)), LockId("m.py::Base", "_lock")),
        ("Reader.__init__", Place(SELF, ("_memory", "_lock")), LockId("m.py::Base", "_lock")),
        ("Row.__init__", Place(SELF, ("locked_at",)), LockId("m.py::Row", "locked_at")),
        ("Row.__init__", Place(SELF, ("a_lock",)), LockId("m.py::Row", "a_lock")),
    ],
)
def test_lock_is_known_by_where_it_was_made(where: str, place: Place, lock: LockId | None) -> None:
    whole = program(LOCKED)

    assert whole.locks.identify(function(whole, where), place) == lock


def held_at_touch(body: str, extra: str = "") -> list[tuple[str, ...]]:
    """Names of the locks held at each write of `self.n` in a method with this body."""
    text = "import threading\nclass C:\n    def __init__(self):\n        self.a = threading.Lock()\n"
    text += "        self.b = threading.Lock()\n    def m(self, v):\n"
    text += "".join(f"        {line}\n" for line in dedent(body).strip().splitlines()) + extra
    whole = program(text)
    item = function(whole, "C.m")
    indices = [
        index
        for index, event in enumerate(item.events)
        if isinstance(event, Touch) and event.place.attributes == ("n",)
    ]
    return [tuple(str(lock) for lock in whole.locksets.named(whole.locksets.at(item, index))) for index in indices]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("with self.a:\n    with self.b:\n        self.n = 1\n    self.n = 2", [("a", "b"), ("a",)]),
        ("self.a.acquire()\nself.n = 1\nself.a.release()\nself.n = 2", [("a",), ()]),
        ("if v:\n    self.a.acquire()\nself.n = 1", [()]),
        ("if v:\n    self.a.acquire()\nelse:\n    return\nself.n = 1", [("a",)]),
        ("self.a.acquire()\ntry:\n    return\nfinally:\n    self.n = 1", [("a",)]),
        ("self.a.acquire()\nwhile v:\n    self.a.release()\n    break\nself.n = 1", [("a",)]),
        ("self.a.acquire()\nfor i in v:\n    self.a.release()\nself.n = 1", [()]),
        ("with threading.Lock():\n    self.n = 1", [()]),
        ("self.n = 1\nself.a.release()\nself.n = 2", [("a",), ()]),
        ("with open(v):\n    self.n = 1", [()]),
        ("with v[0]:\n    self.n = 1", [()]),
        ("with self.lock_of(v):\n    self.n = 1", [("self.lock_of()",)]),
    ],
)
def test_only_what_every_path_holds_is_held(body: str, expected: list[tuple[str, ...]]) -> None:
    assert held_at_touch(body) == expected


def test_context_manager_that_enters_itself_ends() -> None:
    extra = "    def section(self):\n        with self.section():\n            yield\n"

    assert held_at_touch("with self.section():\n    self.n = 1", extra) == [()]


def entry(text: str, name: str) -> tuple[str, ...]:
    whole = program("import threading\nclass C:\n    lock = threading.Lock()\n" + text)
    return tuple(str(lock) for lock in whole.locksets.named(whole.locksets.entry(function(whole, name))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    def m(self):\n        with self.lock: self._x()\n", ("lock",)),
        ("    def m(self):\n        with self.lock: self._x()\n        self._x()\n", ()),
        ("    def m(self):\n        with self.lock: self._x()\n    def __init__(self): self._x()\n", ("lock",)),
        ("    def m(self):\n        with self.lock: self._x()\n        return self._x\n", ()),
        ("    def m(self):\n        with self.lock: threading.Thread(target=self._x)\n", ()),
        ("    def m(self):\n        with self.lock: map(self._x, [])\n", ("lock",)),
        ("    def m(self):\n        with self.lock: self._y()\n    def _y(self): self._x()\n", ("lock",)),
        ("    def _y(self): self._x()\n", ()),
        ("", ()),
    ],
)
def test_private_method_holds_what_all_its_callers_hold(text: str, expected: tuple[str, ...]) -> None:
    assert entry(text + "    def _x(self): self.n = 1\n", "C._x") == expected


def test_function_outside_a_class_starts_with_nothing() -> None:
    whole = program("def f(): pass")

    assert whole.locksets.entry(function(whole, "f")) == 0


def test_families_include_bases_and_all_that_derive_from_them() -> None:
    whole = program("class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass\nclass E(E, X): pass")
    names = [item.name for item in whole.hierarchy.linear(class_named(whole, "D"))]

    assert names == ["D", "B", "A", "C"]
    assert {item.name for item in whole.hierarchy.family(class_named(whole, "B"))} == {"A", "B", "C", "D"}
    assert whole.hierarchy.outside_bases(class_named(whole, "E")) == {"X"}
    assert whole.hierarchy.method(class_named(whole, "D"), "missing") is None
