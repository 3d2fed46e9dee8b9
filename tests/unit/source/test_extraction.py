"""Events of functions, written short: `W self.n<0` is a write that event 0 flowed into."""

from textwrap import dedent

import pytest

from racehound.source.events import (
    Acquire,
    Action,
    Bind,
    Call,
    Decision,
    Event,
    Exit,
    Flow,
    Pause,
    Place,
    Release,
    Shape,
    Touch,
)
from racehound.source.extraction import extract
from racehound.source.facts import FunctionFacts, ModuleFacts
from racehound.source.module import SourceModule

LETTERS = {
    Action.READ: "R",
    Action.CHECK: "C",
    Action.ITERATE: "I",
    Action.WRITE: "W",
    Action.WRITE_ITEM: "S",
    Action.DELETE: "D",
    Action.MUTATE: "M",
}


def facts_of(text: str) -> ModuleFacts:
    return extract(SourceModule.from_text(dedent(text)))


def function(text: str, name: str) -> FunctionFacts:
    return next(item for item in facts_of(text).functions if item.qualified_name == name)


def short(event: Event) -> str | None:
    match event:
        case Touch():
            sources = "".join(f"<{source}" for source in event.sources)
            return f"{LETTERS[event.action]} {event.place}{event.key or ''}{sources}"
        case Acquire():
            return f"+{event.value.place}"
        case Release():
            return f"-{event.value.place}"
        case Call():
            return f"call {event.method}"
        case Pause():
            return "yield" if event.yields else "await"
        case Decision():
            return "decide" + "".join(f"<{source}" for source in event.sources)
        case Exit():
            return event.kind
        case Flow():
            return event.value
    return None


def touches(body: str) -> list[str]:
    """What a method with this body does, calls, bindings and flow left out."""
    events = method(body).events
    return [text for event in events if isinstance(event, Touch | Acquire | Release) and (text := short(event))]


def method(body: str) -> FunctionFacts:
    text = "LIMIT = 3\nclass C:\n    async def m(self, k, v):\n" + "".join(
        f"        {line}\n" for line in dedent(body).strip().splitlines()
    )
    return function(text, "C.m")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("self.n += 1", ["R self.n", "W self.n<0"]),
        ("self.n = self.n + v", ["R self.n", "W self.n<0"]),
        ("self.d[k] = self.d.get(k, 0) + 1", ["R self.d[k]", "S self.d[k]<0<1"]),
        ("self.d[k] += 1", ["R self.d[k]", "S self.d[k]<0"]),
        ("self.d[k][v] = 1", ["S self.d[k][v]"]),
        ("self.d[self.i] = 1", ["R self.i", "S self.d[self.i]"]),
        ("self.a, self.b = self.b, self.a", ["R self.b", "R self.a", "W self.a<0", "W self.b<1"]),
        ("[self.a, *self.b] = v", ["W self.a", "W self.b"]),
        ("self.a.b.c.d.e = 1", ["W self.a.b.c"]),
        ("self.x: int = self.y", ["R self.y", "W self.x<0"]),
        ("self.x: int", []),
        ("del self.d[k], self.x, k", ["D self.d[k]", "D self.x"]),
        ("self.d.pop(k)", ["M self.d[k]"]),
        ("self.d[k].append(v)", ["M self.d[k]"]),
        ("self.d.clear()", ["M self.d"]),
        ("return k in self.d", ["C self.d[k]"]),
        ("if self.x is None: pass", ["C self.x"]),
        ("assert self.x", ["C self.x"]),
        ("while self.x: pass", ["C self.x"]),
        ("for i in self.d: pass", ["I self.d"]),
        ("for i in self.d.items(): pass", ["I self.d"]),
        ("for i in list(self.d): pass", ["R self.d"]),
        ("return [i for i in self.d if self.y for j in self.z]", ["I self.d", "C self.y", "I self.z"]),
        ("return {i: self.v for i in self.d.values()}", ["I self.d", "R self.v"]),
        ("return {**self.d, 'k': self.e, **k}", ["R self.d", "R self.e"]),
        ("return self.d[self.a:self.b:2]", ["R self.d[self.a:self.b:2]", "R self.a", "R self.b"]),
        ("return f'{self.x!r:{self.w}}'", ["R self.x"]),
        ("return self.x if self.y else -self.z", ["C self.y", "R self.x", "R self.z"]),
        ("f(*self.a, key=self.b)", ["R self.a", "R self.b"]),
        ("f().g.h = self.x", ["R self.x"]),
        ("f()[k] = self.x", ["R self.x"]),
        ("f()[k](self.x)", ["R self.x"]),
        ("return v.w[self.x].y", ["R self.x"]),
        ("v.w.x.y()", []),
        ("raise self.error", ["R self.error"]),
        ("return LIMIT", ["R LIMIT"]),
        ("LIMIT.append(k)", ["M LIMIT[k]"]),
        ("global LIMIT\nLIMIT += 1", ["R LIMIT", "W LIMIT<0"]),
        ("global OTHER\nOTHER = 1", []),
        ("f().x += self.y", ["R self.y"]),
        ("self.d[\n    k\n] = 1", ["S self.d["]),
        ("v.x += 1", ["R v.x", "W v.x<0"]),
        ("yield self.x", ["R self.x"]),
        ("yield", []),
        ("await self.x", ["R self.x"]),
        ("return {self.x}, [self.y], (self.z,)", ["R self.x", "R self.y", "R self.z"]),
        ("return a.b.c(self.x)", ["R self.x"]),
        ("return not (self.x and self.y)", ["R self.x", "R self.y"]),
    ],
)
def test_accesses_are_told_apart(body: str, expected: list[str]) -> None:
    assert touches(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n = self.n\nn = n + 1\nself.n = n", "W self.n<0"),
        ("n = self.n\nn += 1\nself.n = n", "W self.n<0"),
        ("n = self.n\nn = 3\nself.n = n", "W self.n"),
        ("n = 1\nif v:\n    n = self.n\nself.n = n", "W self.n<2"),
        ("if (n := self.n): self.n = n", "W self.n<0"),
        ("d = self.d\nd[k] = d[k] + 1", "S self.d[k]<2"),
        ("d = self.d\nself.d = {}\nd[k] = 1", "W self.d"),
        ("d = self.d\nif v:\n    d = {}\nd[k] = 1", "R self.d"),
        ("try:\n    n = self.n\nexcept E as e:\n    n = 0\nfinally:\n    self.n = n", "W self.n<2"),
        ("match self.n:\n    case [x, *y] if y:\n        self.n = x\n    case {**z}:\n        pass", "W self.n"),
    ],
)
def test_values_flow_through_local_variables(body: str, expected: str) -> None:
    assert touches(body)[-1] == expected


def test_iterating_another_name_is_iterating_the_field_and_a_copy_is_not() -> None:
    assert touches("items = self.items\nfor item in items: pass") == ["R self.items", "I self.items"]
    assert touches("items = list(self.items)\nfor item in items: pass") == ["R self.items"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("with self.a, self.b: self.n = 1", ["+self.a", "+self.b", "W self.n", "-self.b", "-self.a"]),
        ("async with self.a: self.n = 1", ["+self.a", "W self.n", "-self.a"]),
        ("self.a.acquire()\nself.a.release()", ["R self.a", "+self.a", "R self.a", "-self.a"]),
        ("lock = self.a\nwith lock: pass", ["R self.a", "+self.a", "-self.a"]),
        (
            "with ExitStack() as stack:\n    stack.enter_context(self.a)\nself.n = 1",
            ["+ExitStack", "R self.a", "+self.a", "-self.a", "-ExitStack", "W self.n"],
        ),
        ("self.stack.enter_context(self.a)", ["R self.stack[self.a]", "R self.a", "+self.a"]),
        ("f().enter_context(self.a)", ["R self.a", "+self.a"]),
        ("stack.enter_context()", []),
    ],
)
def test_critical_sections_begin_and_end(body: str, expected: list[str]) -> None:
    assert touches(body) == expected


def test_structure_is_kept_between_the_events() -> None:
    events = method("if v:\n    return\nelse:\n    await f()").events

    assert [short(event) for event in events] == [
        *("fork", "return", "leave", "alternative"),
        *("call f", "await", "join"),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if self.x: f()", ["C self.x", "decide<0", "fork", "call f", "alternative", "join"]),
        ("x = self.x\nif x: f()", ["R self.x", None, "decide<0", "fork", "call f", "alternative", "join"]),
        ("if f(): pass", ["call f", "decide<0", "fork", "alternative", "join"]),
        ("self.x and f()", ["R self.x", "decide<0", "fork", "call f", "join"]),
        ("k and f()", ["call f"]),
        ("f() if self.x else 0", ["C self.x", "decide<0", "fork", "call f", "alternative", "join"]),
        ("while self.x: f()", ["fork", "loop", "C self.x", "decide<2", "call f", "loop", "alternative", "join"]),
        ("if hasattr(self, 'x'): pass", ["call hasattr", "C self.x", "decide<0<1", "fork", "alternative", "join"]),
        ("hasattr(k, 'x')", ["call hasattr"]),
        ("hasattr(self, k)", ["call hasattr"]),
        ("hasattr(f(), 'x')", ["call f", "call hasattr"]),
    ],
)
def test_what_a_branch_hangs_on_is_kept(body: str, expected: list[str | None]) -> None:
    assert [short(event) for event in method(body).events] == expected


def test_a_finally_block_is_marked() -> None:
    events = method("try:\n    f()\nfinally:\n    g()").events

    assert [short(event) for event in events] == ["try", "fork", "call f", "join", "finally", "call g", "end"]


def test_attributes_of_a_class_are_state_of_the_module() -> None:
    text = "class C:\n    one = None\n    def m(self):\n        return C.one\n"

    assert short(function(text, "C.m").events[0]) == "R C.one"


def test_loops_are_marked_and_counted() -> None:
    events = method("for i in v:\n    f()\nwhile k:\n    break\nelse:\n    g()").events
    calls = {event.method: event.loop for event in events if isinstance(event, Call)}

    assert calls == {"f": 1, "g": 0}
    assert events.count(Flow.LOOP) == 4


def test_calls_carry_what_is_passed() -> None:
    (call,) = (
        event for event in method("Thread(3, target=self.run, args=(k, f()))").events if _is(event, "Thread")
    )

    assert isinstance(call, Call)
    assert call.callee == Place("Thread")
    assert call.arguments[0].name == "3"
    assert call.keywords[0][1].place == Place("<self>", ("run",))
    assert [value.shape for value in call.keywords[1][1].arguments] == [Shape.PLACE, Shape.CALL]


def _is(event: Event, name: str) -> bool:
    return isinstance(event, Call) and event.method == name


def test_nested_functions_see_the_self_of_their_method() -> None:
    text = """
        class C:
            def m(self):
                def inner(x):
                    self.n = x
                other = lambda self: self.n
                return [inner, lambda: self.n]
        """
    names = {item.qualified_name: item for item in facts_of(text).functions}

    inner = names["C.m.<locals>.inner"]
    assert [short(event) for event in inner.events] == ["W self.n"]
    assert inner.owner is not None
    assert inner.owner.name == "C"
    assert [len(item.events) for name, item in names.items() if "<lambda" in name] == [0, 1]


def test_classes_keep_bases_attributes_and_annotations() -> None:
    text = """
        import a.b, c as d
        from .e import f as g, h
        from . import i
        from j import *

        class Base(a.b.C, Generic[T], make()):
            x: "Lock" = None
            y: Optional[int | a.b.Q]
            z = w = {}
            q[0] = 1
            if True:
                def m(self, p: dict[str, int], *, r: "not a name" = 0) -> Annotated[Base, 3]: ...
            try:
                def n(this): this.x = 1
            except E:
                pass
            @staticmethod
            def s(self): self.x = 1
            @property
            def v(self): return self._v
            @v.setter
            def v(self, value): self._v = value
            class Inner:
                pass
        """
    module = facts_of(text)
    base, inner = module.classes

    assert module.imports == {"a": "a", "d": "c", "g": ".e.f", "h": ".e.h", "i": ".i"}
    assert base.bases == (Place("a", ("b", "C")), Place("Generic"))
    assert [str(value.place) for value in base.attributes["x"] if value.place] == ["Lock"]
    assert [str(value.place) for value in base.attributes["y"]] == ["int", "a.b.Q"]
    assert base.attributes["z"] == base.attributes["w"]
    assert set(base.methods) == {"m", "n", "s", "v", "v.setter"}
    assert str(base.methods["m"].annotations["p"][0].place) == "dict"
    assert base.methods["m"].annotations["r"] == ()
    assert str(base.methods["m"].returns[0].place) == "Base"
    assert [short(event) for event in base.methods["n"].events] == ["W self.x"]
    assert [short(event) for event in base.methods["s"].events] == ["W self.x"]
    assert base.methods["s"].events[0].place.root == "self"  # type: ignore[union-attr]  # it is a Touch
    assert inner.qualified_name == "Base.Inner"
    assert (repr(module), repr(base), repr(base.methods["m"])) == (
        "module.py",
        "module.py::Base",
        "module.py::Base.m",
    )


def test_variables_of_the_module_are_known_before_the_functions_above_them() -> None:
    text = """
        def f():
            return TABLE[0], local
        TABLE: list = []
        LATER: dict
        (a, b) = 1, 2
        """
    module = facts_of(text)

    assert set(module.variables) == {"TABLE", "LATER", "a", "b"}
    assert [short(event) for event in module.functions[1].events] == ["R TABLE[0]", "return", "leave"]


def test_local_names_are_known() -> None:
    item = method("x: int\nfor i in v:\n    y = (z := 1)\nglobal G\nimport os\nclass L: pass\ntype_ = 1")

    assert item.bound == {"x", "i", "y", "z", "type_"}
    assert item.shared_names == {"G"}
    assert [event.name for event in item.events if isinstance(event, Bind)] == ["i", "z", "y", "type_"]


def test_sum_of_thousands_of_terms_needs_no_thousands_of_frames() -> None:
    item = method("self.n = " + " + ".join(["self.n"] * 900))

    assert len(item.events) == 901
