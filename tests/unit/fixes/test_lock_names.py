"""What a patch calls its lock does not depend on the patches that were written before it."""

import pytest

from racehound.fixes.hold_lock import hold_lock
from racehound.model.finding import Subject

SOURCE = """\
from dataclasses import dataclass

COUNT = 0


def bump():
    global COUNT
    COUNT += 1


@dataclass
class Stats:
    hits: int = 0

    def hit(self):
        self.hits += 1


class Slots:
    __slots__ = ("n",)

    def __init__(self):
        self.n = 0

    def inc(self):
        self.n += 1


class Total:
    total = 0

    @classmethod
    def inc(cls):
        cls.total += 1


class SubTotal(Total):
    def __init__(self):
        self.k = 0

    def up(self):
        self.k += 1
"""
FIELDS = {None: "COUNT", "Slots": "n", "Stats": "hits", "Total": "total", "SubTotal": "k"}
NAMES = tuple(FIELDS)
LOCKS = {
    None: "_lock = threading.Lock()",
    "Slots": "self._lock = threading.Lock()",
    "Stats": "_lock: threading.Lock = field(",
    "Total": "_lock = threading.Lock()",
    "SubTotal": "self._sub_total_lock = threading.Lock()",
}


def patched(source: str, name: str | None) -> str:
    subject = Subject(path="m.py", class_name=name, functions=(), fields=(FIELDS[name],))
    patch = hold_lock(source, subject=subject, path="m.py")
    assert patch is not None
    return patch.after


def new_lines(source: str) -> set[str]:
    """Lines that a patch has added or moved below a lock; the imports are shared."""
    added = set(source.splitlines()) - set(SOURCE.splitlines())
    return {line for line in added if "import" not in line}


@pytest.mark.parametrize("name", FIELDS)
def test_lock_is_named_for_what_it_guards(name: str | None) -> None:
    assert any(line.strip().startswith(LOCKS[name]) for line in patched(SOURCE, name).splitlines())


@pytest.mark.parametrize("order", [NAMES, NAMES[::-1], NAMES[3:] + NAMES[:3]], ids=str)
def test_what_is_written_together_is_what_was_shown_alone(order: tuple[str | None, ...]) -> None:
    shown = set().union(*(new_lines(patched(SOURCE, name)) for name in order))
    source = SOURCE
    for name in order:
        source = patched(source, name)

    assert new_lines(source) == shown


def test_global_that_is_there_is_not_taken_over() -> None:
    source = SOURCE.replace("COUNT = 0\n", "COUNT = 0\n_lock = open\n", 1)

    assert "\n_state_lock = threading.Lock()" in patched(source, None)
