"""The clever search finds every outcome that brute force finds, for operations that could be missed."""

import functools
import sys
import textwrap
from collections.abc import Callable, Iterable

import pytest

from drivers.finest import Turns
from drivers.observed import PATH, loaded
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.engine.strategy import SearchStrategy
from racehound.primitives.mirrors import installed
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor

LOCKED_CACHE = sys.version_info < (3, 12)
PROGRAMS: dict[str, tuple[str, int]] = {
    "part taken from another list": (
        """
        def make(): return S(l=[0], o=[])
        def a(s): s.l[:] = s.o
        def b(s): s.o.append(1)
        """,
        2,
    ),
    "list filled by a generator": (
        """
        def make(): return S(l=[])
        def a(s): s.l.extend(x for x in (1, 2))
        def b(s): return len(s.l)
        """,
        3,
    ),
    "truth of what a generator gives": (
        """
        def make(): return S(x=[], y=[1])
        def a(s): return any(q for q in (s.x, s.y))
        def b(s): s.x.append(1); s.y.pop()
        """,
        2,
    ),
    "ordered by what a function answers": (
        """
        def make(): return S(x=[1], y=[2])
        def a(s): return max((s.x, 0), (s.y, 1), key=lambda pair: pair[0])[1]
        def b(s): s.x[0] = 3; s.y[0] = 4
        """,
        2,
    ),
    "alias of a method": (
        """
        def make(): return S(l=[1])
        def a(s): push = s.l.append; push(len(s.l))
        def b(s): s.l.clear()
        """,
        3,
    ),
    "pair looked for among the items": (
        """
        def make(): return S(d={})
        def a(s): return ("k", 1) in s.d.items(), ("k", 1) in s.d.items()
        def b(s): s.d["k"] = 1
        """,
        3,
    ),
    "view that outlives a change": (
        """
        def make(): return S(d={1: 1})
        def a(s): return list(s.d.items())
        def b(s): s.d[2] = 2; s.d.pop(1)
        """,
        3,
    ),
    "dictionary that grows under a loop": (
        """
        def make(): return S(d={1: 1})
        def a(s): return [k for k in s.d]
        def b(s): s.d[2] = 2
        """,
        3,
    ),
    "list hung into a structure that is being compared": (
        """
        def make(): return S(outer=[], inner=[])
        def a(s): return repr(s.outer)
        def b(s): s.outer.append(s.inner); s.inner.append(1)
        """,
        3,
    ),
    "nested equality": (
        """
        def make(): return S(x=[[1]], y=[[1]])
        def a(s): return s.x == s.y
        def b(s): s.x[0].append(2); s.y[0].append(2)
        """,
        2,
    ),
    "generated equality": (
        """
        import dataclasses
        @dataclasses.dataclass
        class P:
            x: int
            y: int
        def make(): return S(p=P(0, 0))
        def a(s): return s.p == P(1, 0)
        def b(s): s.p.x = 1; s.p.y = 1
        """,
        2,
    ),
    "globals bound together": (
        """
        G = H = 0
        def make():
            global G, H
            G = H = 0
            return S()
        def a(s):
            global G, H
            G, H = 1, 1
        def b(s): return G, H
        """,
        4,
    ),
    "attribute set through the dictionary": (
        """
        def make(): return S(n=0)
        def a(s): vars(s)["n"] += 1
        def b(s): s.n += 1
        """,
        2,
    ),
    "objects that share their dictionary": (
        """
        class B:
            def __init__(self, d): self.__dict__ = d
        def make():
            d = {"n": 0}
            return S(x=B(d), y=B(d))
        def a(s): s.x.n += 1; return None
        def b(s): s.y.n += 1
        """,
        2,
    ),
    "class attribute covered by an instance": (
        """
        class C: n = 0
        def make():
            C.n = 0
            return S(c=C())
        def a(s): s.c.n += 1
        def b(s): C.n = 5
        """,
        2,
    ),
    "default that is made by reading": (
        """
        import collections
        def make(): return S(d=collections.defaultdict(list))
        def a(s): s.d["k"].append(1)
        def b(s): return len(s.d), "k" in s.d
        """,
        3,
    ),
    "attribute of a function": (
        """
        def f(): pass
        def make():
            f.n = 0
            return S()
        def a(s): f.n += 1; return f.n
        def b(s): f.n += 1
        """,
        2,
    ),
    "iterator that is shared": (
        """
        import itertools
        def make(): return S(c=itertools.count())
        def a(s): return next(s.c), next(s.c)
        def b(s): return next(s.c)
        """,
        3,
    ),
    "cached property": (
        """
        import functools
        class C:
            n = 0
            @functools.cached_property
            def v(self):
                self.n += 1
                return self.n
        def make(): return S(c=C())
        def a(s): return s.c.v
        def b(s): return s.c.v
        """,
        1 if LOCKED_CACHE else 6,
    ),
    "chained comparison": (
        """
        def make(): return S(x=[1], y=[2])
        def a(s): return [0] < s.x < s.y
        def b(s): s.x[0] = 3; s.y[0] = 4
        """,
        2,
    ),
    "closure variable": (
        """
        def make():
            n = 0
            def add():
                nonlocal n
                n += 1
                return n
            return S(add=add)
        def a(s): return s.add()
        def b(s): return s.add()
        """,
        4,
    ),
    "subclass of a container": (
        """
        class L(list):
            def add(self, x): super().append(len(self)); self.last = x
        def make(): return S(l=L())
        def a(s): s.l.add("a")
        def b(s): s.l.add("b")
        """,
        4,
    ),
    "heap": (
        """
        import heapq
        def make(): return S(h=[2])
        def a(s): heapq.heappush(s.h, 1); return heapq.heappop(s.h)
        def b(s): return heapq.heappop(s.h) if s.h else None
        """,
        2,
    ),
    "unpacked rows": (
        """
        def make(): return S(rows=[[0, 0]])
        def a(s): return [x + y for x, y in s.rows]
        def b(s): row = s.rows[0]; row[0] = 1; row[1] = 1
        """,
        3,
    ),
}
if sys.version_info < (3, 14):  # from then on annotations are evaluated when somebody asks
    PROGRAMS["annotation of a function inside"] = (
        """
        def make(): return S(n=0)
        def a(s):
            def inner(x: s.n): pass
            return inner.__annotations__["x"], s.n
        def b(s): s.n = 1
        """,
        3,
    )
HEAD = """
class S:
    def __init__(self, **fields): self.__dict__.update(fields)
def seen(s):
    if isinstance(s, (list, tuple)): return [seen(x) for x in s] + [sorted(getattr(s, "__dict__", {}).items())]
    if isinstance(s, dict): return [(k, seen(v)) for k, v in s.items()]
    if hasattr(s, "__dict__") and not callable(s): return seen(vars(s))
    return repr(s) if isinstance(s, int) else type(s).__name__
"""


def outcomes(source: str, strategy: SearchStrategy) -> set[str]:
    explorer = Explorer()
    found: set[str] = set()
    state: list[object] = []
    try:
        with installed(), loaded(HEAD + textwrap.dedent(source), observed=True) as module:

            def prepare() -> Iterable[Callable[[], object]]:
                state[:] = [module.make()]
                return [lambda: module.a(state[0]), lambda: module.b(state[0])]

            def note(trace: Trace) -> None:
                assert trace.ending is Ending.COMPLETE
                results = [(task.result, repr(task.error)) for task in trace.tasks]
                found.add(f"{results} {module.seen(state[0])}")

            search = explorer.search(lambda: list(prepare()), strategy, note, seconds=50)
    finally:
        explorer.close()
    assert search.broken_by is None, search.broken_by
    assert search.exhausted
    return found


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("name", PROGRAMS)
def test_clever_search_finds_what_brute_force_finds(name: str) -> None:
    source, _ = PROGRAMS[name]

    assert outcomes(source, Dpor()) == outcomes(source, DepthFirst())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_has_the_outcomes_that_thinking_gives(name: str) -> None:
    source, number = PROGRAMS[name]

    found = outcomes(source, Dpor())

    assert len(found) == number, found


def by_single_instructions(source: str, seeds: Iterable[int]) -> set[str]:
    found: set[str] = set()
    with loaded(HEAD + textwrap.dedent(source), observed=False) as module:
        for seed in seeds:
            state = module.make()
            turns = Turns(PATH, seed)
            turns.run([functools.partial(module.a, state), functools.partial(module.b, state)])
            found.add(f"{turns.results} {module.seen(state)}")
    return found


# Where the cache has a lock, it is a real one here and would block for real.
STEPPABLE = sorted(PROGRAMS.keys() - ({"cached property"} if LOCKED_CACHE else set()))


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPPABLE)
def test_no_schedule_of_single_instructions_gives_another_outcome(name: str) -> None:
    source, _ = PROGRAMS[name]

    assert by_single_instructions(source, range(40)) <= outcomes(source, Dpor())


def test_schedules_of_single_instructions_do_differ() -> None:
    source, number = PROGRAMS["closure variable"]

    assert len(by_single_instructions(source, range(60))) == number
