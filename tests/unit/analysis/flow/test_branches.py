from textwrap import dedent

import pytest

from racehound.analysis.flow.branches import dependent, fork_at, leaves, reaches_next_round
from racehound.source.events import Call, Decision, Flow
from racehound.source.extraction import extract
from racehound.source.facts import FunctionFacts
from racehound.source.module import SourceModule


def method(body: str) -> FunctionFacts:
    lines = "".join(f"        {line}\n" for line in dedent(body).strip().splitlines())
    facts = extract(SourceModule.from_text(f"class C:\n    def m(self, v):\n{lines}"))
    return facts.functions[1]


def position(function: FunctionFacts, name: str) -> int:
    events = enumerate(function.events)
    return next(index for index, event in events if isinstance(event, Call) and event.method == name)


@pytest.mark.parametrize(
    ("body", "inside", "outside"),
    [
        ("if self.x:\n    a()\nelse:\n    b()\nc()", "ab", "c"),
        ("if self.x:\n    return\na()", "a", ""),
        ("if self.x:\n    if v:\n        return\n    else:\n        raise E\na()", "a", ""),
        ("if self.x:\n    if v:\n        return\na()", "", "a"),
        ("while self.x:\n    a()\nb()", "a", "b"),
        ("for i in v:\n    if self.x:\n        continue\n    a()\nb()", "a", "b"),
        ("if v:\n    if self.x:\n        return\n    a()\nelse:\n    b()\nc()", "ac", "b"),
        ("if v:\n    for i in w:\n        if self.x:\n            break\n        a()\nb()", "a", "b"),
        ("if v:\n    if self.x:\n        return\n    raise E\nb()", "", "b"),
        ("self.x and a()\nb()", "a", "b"),
    ],
)
def test_what_hangs_on_a_decision(body: str, inside: str, outside: str) -> None:
    function = method(body)
    decision = next(index for index, event in enumerate(function.events) if isinstance(event, Decision))
    ranges = dependent(function.events, decision)

    def is_inside(name: str) -> bool:
        return any(start <= position(function, name) < end for start, end in ranges)

    assert all(is_inside(name) for name in inside)
    assert not any(is_inside(name) for name in outside)


@pytest.mark.parametrize(
    ("body", "loops", "expected"),
    [
        ("for i in v:\n    a()", 0, True),
        ("for i in v:\n    a()\n    break", 0, False),
        ("for i in v:\n    a()\n    return", 0, False),
        ("for i in v:\n    a()\n    continue", 0, True),
        ("for i in v:\n    a()\n    if i:\n        break", 0, True),
        ("for i in v:\n    a()\n    if i:\n        break\n    else:\n        return", 0, False),
        ("for i in v:\n    a()\n    if i:\n        continue\n    else:\n        return", 0, True),
        ("for i in v:\n    a()\n    if i:\n        if v: break\n        else: raise\n    return", 0, False),
        ("for i in v:\n    if i:\n        a()\n    else:\n        return\n    break", 0, False),
        (
            "for i in v:\n    if i:\n        a()\n    elif v:\n        if k:\n            pass\n    return",
            0,
            False,
        ),
        ("for i in v:\n    for j in i:\n        a()\n        break", 1, True),
        ("for i in v:\n    for j in i:\n        a()\n    break", 1, False),
        ("for i in v:\n    for j in i:\n        a()\n        return", 1, False),
        ("for i in v:\n    a()\n    for j in i:\n        break\n    return", 0, False),
        ("for i in v:\n    a()\n    for j in i:\n        break", 0, True),
        ("a()", 0, False),
    ],
)
def test_whether_the_next_round_is_reached(body: str, loops: int, expected: bool) -> None:
    function = method(body)

    assert reaches_next_round(function.events, position(function, "a"), loops) is expected


def test_a_range_without_an_end_is_taken_to_the_last_event() -> None:
    events = [Flow.FORK, Flow.FORK, Flow.LEAVE]

    assert fork_at(events, 0).join == 3
    assert leaves(events, 0, 3)
    assert not reaches_next_round([Flow.ALTERNATIVE, Flow.FORK], 0, 0)
