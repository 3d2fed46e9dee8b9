"""A patch is unsafe where some object would have no lock, or one that does not serve it."""

from textwrap import dedent

import pytest

from racehound.fixes.hold_lock import try_to_hold_lock
from racehound.model.finding import Subject
from racehound.model.patch import Patch, Safety

METER = """
class Meter{bases}:
    def __init__(self):
        self.total = 0

    def add(self):
        self.total += 1
"""
ASYNC_METER = """
import asyncio

class Meter:
    def __init__(self):
        self.total = 0

    async def add(self):
        before = self.total
        await asyncio.sleep(0)
        self.total = before + 1
"""
DATA_METER = """
from dataclasses import dataclass

@dataclass
class Meter:
    total: int = 0

    def add(self):
        self.total += 1
"""


def patched(source: str, *, coroutines: bool = False) -> Patch:
    subject = Subject(
        path="m.py", class_name="Meter", functions=(), fields=("total",), lock=None, coroutines=coroutines
    )
    patch = try_to_hold_lock(dedent(source).lstrip(), subject=subject, path="m.py")
    assert isinstance(patch, Patch)
    return patch


def below(body: str) -> str:
    return f"\nclass Below(Meter):\n{body}"


UNSAFE = {
    "the subclass `Below` does not call": METER.format(bases="")
    + below("    def __init__(self):\n        self.total = 5\n"),
    "does not call the `__init__` that makes": DATA_METER
    + below("    def __init__(self):\n        self.total = 5\n"),
    "made by `__new__` alone": METER.format(bases="") + "\ndef load():\n    return Meter.__new__(Meter)\n",
    "exceptions are pickled": METER.format(bases="(errors.BaseError)"),
}


@pytest.mark.parametrize("reason", UNSAFE)
def test_patch_is_unsafe_where_an_object_may_be_without_its_lock(reason: str) -> None:
    patch = patched(UNSAFE[reason])

    assert patch.safety is Safety.UNSAFE
    assert reason in patch.summary


@pytest.mark.parametrize(
    "source",
    [
        METER.format(bases="") + below("    def __init__(self):\n        super().__init__()\n"),
        METER.format(bases="") + below("    def __init__(self):\n        Meter.__init__(self)\n"),
        METER.format(bases="") + below("    kind = 1\n"),
        METER.format(bases="") + "\nMETER = Meter()\n",
        METER.format(bases="(Base)"),
        METER.format(bases="")
        .replace("self.total = 0", "pass")
        .replace("    def __init__", "    total = []\n    def __init__"),
        METER.format(bases="").replace("self.total = 0", "self.total = 0\n        self.lock = threading.Lock()")
        + "\n    def get(self):\n        with self.lock:\n            return self.total\n"
        + below("    def __init__(self):\n        self.total = 5\n"),
    ],
)
def test_patch_is_safe_where_every_object_has_its_lock(source: str) -> None:
    assert patched(source).safety is Safety.SAFE


@pytest.mark.parametrize("made", ["METER = Meter()", "METER: Meter = Meter()"])
def test_lock_of_asyncio_in_an_object_of_the_whole_module_may_meet_a_second_loop(made: str) -> None:
    patch = patched(f"{ASYNC_METER}\n{made}\n", coroutines=True)

    assert patch.safety is Safety.UNSAFE
    assert "one event loop only" in patch.summary


def test_lock_of_asyncio_in_objects_of_functions_is_safe() -> None:
    source = f"{ASYNC_METER}\nOTHER = make()\n\nasync def main():\n    meter = Meter()\n    await meter.add()\n"

    assert patched(source, coroutines=True).safety is Safety.SAFE
