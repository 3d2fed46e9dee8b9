"""Small programs at random: every expression notes that it was evaluated, so that order shows in the log."""
# ruff: noqa: E501 - the templates keep their lines

import textwrap
from collections.abc import Callable

from hypothesis import strategies as st

HEAD = """
total = 1

class Box:
    kind = 7
    __slots__ = ("a", "b", "__hidden", "__dict__")

    def __init__(self, log):
        self.a, self.b, self.__hidden = 1, [3, 1, 2], 5
        self.log = log

    def __getattr__(self, name):
        self.log.append(("missing", name))
        raise AttributeError(name)

    @property
    def double(self):
        return self.a * 2

    def method(self, *args, **kwargs):
        self.log.append(("method", len(args), sorted(kwargs)))
        return self.__hidden + len(args)

    def __eq__(self, other):
        self.log.append("eq")
        return isinstance(other, Box) and self.a == other.a

    def __hash__(self):
        return 11

    def __add__(self, other):
        self.log.append("add")
        return other

    def __contains__(self, key):
        self.log.append(("contains", repr(key)))
        return key == self.a

    def __bool__(self):
        self.log.append("bool")
        return self.a != 0

    def __format__(self, spec):
        self.log.append(("format", spec))
        return f"<{self.a}:{spec}>"

    def __repr__(self):
        return f"Box({self.a!r}, {self.b!r})"

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(("exit", kind))
        return self.a == 0


def main(log):
    global total
    total = 1

    def t(value):
        log.append(("t", repr(value)))
        return value

    def count():
        nonlocal n
        n += 1
        return n

    def numbers(k):
        for i in range(k):
            log.append(("next", i))
            yield i

    n = 0
    x = 2
    box = Box(log)
    items = [4, 3, 2, 1]
    table = {0: 10, "k": [1], (1, 2): 3}
    bag = {1, 2}
    pair = (1, [2])
"""
TAIL = """
    return x, n, total, items, table, sorted(bag, key=repr), box
"""

LEAVES = st.sampled_from(
    [
        *("t(0)", "t(1)", "t(2)", "t('k')", "t([])", "x", "n", "-x", "total", "count()", "None", "items", "table"),
        *("bag", "pair", "box", "box.a", "box.b", "box.kind", "box.double", "box.absent", "Box.kind", "items[0]"),
        "table['k']",
    ]
)
BINARY = st.sampled_from(
    ["+", "-", "*", "%", "//", "|", "&", "==", "!=", "<", ">=", "in", "not in", "is", "and", "or"]
)


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def form(template: str, *, parts: int) -> st.SearchStrategy[str]:
        return st.tuples(*[inner] * parts).map(lambda values: template.format(*values))

    return st.one_of(
        st.tuples(inner, BINARY, inner).map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"),
        form("({} < {} <= {})", parts=3),
        form("({} in {} == {})", parts=3),
        form("({} if {} else {})", parts=3),
        form("(not {})", parts=1),
        form("t({})", parts=1),
        form("{}[{}]", parts=2),
        form("{}[{}:{}]", parts=3),
        form("table[{}, {}]", parts=2),
        form("[{} for i in {} if {}]", parts=3),
        form("[(i, j) for i in t([1, 2]) for j in {} if i < {}]", parts=2),
        form("{{i: {} for i, *r in [({}, 1)]}}", parts=2),
        form("list({} for _ in numbers({}))", parts=2),
        form("[x := {}, x]", parts=1),
        form("[(y := {}) for _ in {}]", parts=2),
        form("(lambda q, r={}: [q, r, {}])({})", parts=3),
        form("[*{}, {}]", parts=2),
        form("{{**table, 'z': {}}}", parts=1),
        form("f'{{{}!r:>9}}|{{{}:{{x}}}}|{{{}}}'", parts=3).map(
            lambda text: text if text.count("'") == 2 else "t(3)"
        ),
        form("box.method({}, *{}, k={})", parts=3),
        form("box.method(*{}, **{{'k': {}}})", parts=2),
        form("t(box).b.count({})", parts=1),
        form("len({})", parts=1),
        form("sorted({}, key=repr)", parts=1),
        form("max({}, {}, key=repr)", parts=2),
        form("sum({})", parts=1),
        form("list(zip({}, {}))", parts=2),
        form("[i for i, j in enumerate({})]", parts=1),
        form("list(map(t, {}))", parts=1),
        form("getattr({}, 'a', {})", parts=2),
        form("(box\n    .method({})\n    .real)", parts=1),
        form("str({})", parts=1),
        form("'%s' % {}", parts=1),
    )


EXPRESSIONS = st.recursive(LEAVES, _deeper, max_leaves=6)

TARGETS = [
    "x",
    "n",
    "total",
    "box.a",
    "box.b[0]",
    "items[t(1)]",
    "items[1:2]",
    "table['new']",
    "table[t(1), 2]",
    "box.new",
]
SIMPLE = st.one_of(
    st.tuples(st.sampled_from(TARGETS), EXPRESSIONS).map(lambda p: f"{p[0]} = {p[1]}"),
    st.tuples(st.sampled_from(TARGETS), st.sampled_from(["+=", "-=", "*=", "|="]), EXPRESSIONS).map(" ".join),
    st.tuples(st.sampled_from(TARGETS), st.sampled_from(TARGETS), EXPRESSIONS).map(
        lambda p: f"{p[0]}, *{p[1]} = {p[2]}"
    ),
    st.tuples(st.sampled_from(TARGETS), st.sampled_from(TARGETS), EXPRESSIONS).map(
        lambda p: f"{p[0]} = ({p[1]}, y) = {p[2]}"
    ),
    EXPRESSIONS.map(lambda e: f"log.append(repr({e}))"),
    EXPRESSIONS.map(lambda e: f"assert {e}, {e}"),
    EXPRESSIONS.map(lambda e: f"items.append({e})"),
    EXPRESSIONS.map(lambda e: f"box.quantity: int = {e}"),
    st.sampled_from(
        ["del box.a", "del items[0]", "del table['k'], items[t(0)]", "del box.missing", "bag |= {t(9)}"]
    ),
    st.sampled_from(["raise ValueError(t(1))", "raise KeyError from box.a", "x = yield_nothing", "pass"]),
)


def _block(body: list[str]) -> str:
    return textwrap.indent("\n".join(body), "    ")


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    bodies = st.lists(inner, min_size=1, max_size=3).map(_block)

    def form(build: Callable[[str, str, str], str]) -> st.SearchStrategy[str]:
        return st.tuples(EXPRESSIONS, bodies, bodies).map(lambda parts: build(*parts))

    return st.one_of(
        form(lambda e, a, b: f"if {e}:\n{a}\nelse:\n{b}"),
        form(lambda e, a, b: f"for i in {e}:\n{a}\n    if t(i) == 2: break\nelse:\n{b}"),
        form(lambda e, a, b: f"for total, y in {e}:\n{a}\n    continue"),
        form(lambda e, a, b: f"w = 0\nwhile w < 2 and {e}:\n    w += 1\n{a}\nelse:\n{b}"),
        form(lambda e, a, b: f"try:\n{a}\nexcept (TypeError, box.absent) as error:\n    t(str(error))\n{b}"),
        form(
            lambda e, a, b: (
                f"try:\n{a}\nexcept Exception as error:\n    t(repr(error))\nelse:\n{b}\nfinally:\n    t({e})"
            )
        ),
        form(lambda e, a, b: f"with t(box) as x, {e} as box.b:\n{a}"),
        form(lambda e, a, b: f"with box as total, box as (y):\n{a}"),
        form(
            lambda e, a, b: (
                f"match {e}:\n    case [x, *_] if t(x):\n{textwrap.indent(a, '    ')}\n    case Box(a=0) | None:\n{textwrap.indent(b, '    ')}\n    case {{'k': y}}:\n        t(y)\n    case _:\n        pass"
            )
        ),
        form(lambda e, a, b: f"def inner(p={e}, *, q=t(5)):\n    nonlocal x\n{a}\n    return p, q\nt(inner())"),
        form(
            lambda e, a, b: (
                f"def generate():\n    got = yield {e}\n    t(got)\n{b}\n    yield from items\nlog.extend(map(repr, generate()))"
            )
        ),
        form(
            lambda e, a, b: (
                f"class Local:\n    value = [i for i in (1, 2)]\n    def get(self):\n{textwrap.indent(a, '    ')}\n        return {e}\nt(Local().get())"
            )
        ),
    )


STATEMENTS = st.recursive(SIMPLE, _compound, max_leaves=4)


def programs() -> st.SearchStrategy[str]:
    """Sources of modules with a function `main(log)`."""
    return (
        st.lists(STATEMENTS, min_size=1, max_size=4)
        .map(lambda body: HEAD + textwrap.indent("\n".join(body), "    ") + TAIL)
        .filter(_compiles)
    )


def _compiles(source: str) -> bool:
    """Leaves out what the grammar or the scoping rules forbid."""
    try:
        compile(source, "program.py", "exec")
    except SyntaxError:
        return False
    return True
