"""Threads that a loop starts with what is listed on the spot."""

from textwrap import indent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

COUNTER = """\
import threading

class Counter:
    def __init__(self):
        self.reads = self.writes = 0

    def read(self):
        self.reads = more(self.reads)

    def write(self):
        self.writes = more(self.writes)

    def both(self):
        self.reads = more(self.reads)

def more(number):
    return number + 1

def main(counter: Counter):
"""


def certain(body: str) -> list[int]:
    program = Program.of(SourceModule.from_text(COUNTER + indent(body, "    "), "app.py"))
    found = rule_named("RH102").check(program)
    return sorted(item.location.line for item in found if item.confidence is Confidence.CERTAIN)


@pytest.mark.parametrize(
    "body",
    [
        "for work in (counter.read, counter.both):\n    threading.Thread(target=work).start()\n",
        "ts = [threading.Thread(target=t) for t in [counter.read, counter.both]]\nfor t in ts:\n    t.start()\n",
    ],
)
def test_threads_with_listed_work_meet_each_other(body: str) -> None:
    assert 8 in certain(body)
    assert certain(body.replace("counter.both", "counter.write")) == []
    assert certain(body.replace("counter.both", "counter.read")) == [8]


def test_name_that_is_something_else_by_then_is_not_followed() -> None:
    start = "    threading.Thread(target=work).start()\n"
    body = "for work in (counter.read, counter.both):\n    work = print\n"

    assert certain(body + start) == []
    assert certain("for work in (counter.read, counter.both):\n    work()\n" + start.strip() + "\n") == []
