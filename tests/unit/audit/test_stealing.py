"""A lock that looks forgotten is taken away: two who do it at once take each other's, and so the lock is none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from racehound.audit.plan import schedules_in
from racehound.audit.preparing import prepared
from racehound.audit.replaying import replay
from racehound.audit.request import AuditRequest
from racehound.audit.schedule import Schedule
from racehound.audit.search import Search, Tally
from racehound.audit.stage import recorded
from racehound.audit.template import pair_of
from racehound.audit.tokens import Recipe
from racehound.model.audit import Harm
from racehound.processes.calls import Point

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TOOL = """
import os, sys, time
def is_stale(): {stale}
while True:
    try:
        os.close(os.open("c.lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        break
    except FileExistsError:
        if is_stale():
            os.unlink("c.lock")
        time.sleep(0.02)
text = open("f").read()
new = f"new-{{os.getpid()}}"
open(new, "w").write(text + sys.argv[1])
os.rename(new, "f")
if os.path.exists("c.lock"):
    os.unlink("c.lock")
"""
EMPTIED = "return os.path.getmtime('c.lock') < 1e9"
AGED = "return time.time() - os.path.getmtime('c.lock') > 0.3"


@contextmanager
def searching(tool: Path, stale: str, *setup: str) -> Iterator[Search]:
    tool.write_text(TOOL.format(stale=stale))
    pair = pair_of(*(f"{sys.executable} -I -S {tool} {key}" for key in ("k1", "k2")))
    asked = AuditRequest(pairs=(pair,), setup=("echo base > f", *setup))
    with prepared(pair, asked) as bare:
        recipe = Recipe(first=pair.first, second=pair.second, setup=asked.setup, view=None)
        yield Search(pair.name, *recorded(bare), recipe, Tally())


def test_a_forgotten_lock_that_two_calls_take_away_is_tried_with_two_switches(tmp_path: Path) -> None:
    with searching(tmp_path / "tool.py", EMPTIED, "touch -d @1 c.lock") as search:
        schedules = schedules_in(search.serial, locks=search.stage.locks)
        thefts = [schedule for schedule in schedules if schedule.then and schedule.point.call == "unlink"]
        search.attempt(thefts[0])

    (violation,) = search.tally.violations
    assert violation.what is Harm.LOST_UPDATE
    assert violation.point.startswith("A before unlink work/c.lock #1, then B before ")


def test_a_lock_that_is_taken_from_a_slow_holder_is_found_and_replayed(tmp_path: Path) -> None:
    with searching(tmp_path / "tool.py", AGED) as search:
        search.attempt(Schedule(Point("rename", "work/f"), hold=5.0))

    (violation,) = search.tally.violations
    assert violation.what is Harm.LOST_UPDATE
    assert violation.point == "A before rename work/f #1, held there for 5 s"
    assert len(violation.steps) < 20
    replayed = replay(violation.token)
    assert replayed.violation is not None
    assert replayed.violation.what is Harm.LOST_UPDATE
