"""What a hunt has worked out goes when nobody needs it any more, without the collector, which is off meanwhile."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from racehound.analysis import islands
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.names import Names
from racehound.analysis.program import Program
from racehound.analysis.survey import Survey
from racehound.pipeline import reading
from racehound.pipeline.hunt import hunt

USERS = """import threading
import jobs
import plain
def work(box, job):
    box.count += 1
    job.run(box)
def main():
    box = jobs.Box()
    for _ in range(2):
        threading.Thread(target=work, args=(box, plain.Job())).start()
    pass_on(box)
def pass_on(given):
    given.add()
"""
JOBS = """import threading
class Box:
    def __init__(self):
        self._lock = threading.Lock()
        self.count = 0
    def add(self):
        self.count += 1
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "users.py").write_text(USERS, "utf-8")
    (tmp_path / "jobs.py").write_text(JOBS, "utf-8")
    (tmp_path / "plain.py").write_text("class Job:\n    def run(self, box):\n        box.add()\n", "utf-8")
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[weakref.ref[Kinds]]]:
    """The tables of kinds: everything that is worked out of a program knows one of them."""
    references: list[weakref.ref[Kinds]] = []
    initialise = Kinds.__init__

    def noted(self: Kinds, names: Names, *rest: object) -> None:
        references.append(weakref.ref(self))
        initialise(self, names, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Kinds, "__init__", noted)
    was_enabled = gc.isenabled()
    gc.disable()
    yield references
    if was_enabled:
        gc.enable()


@pytest.mark.parametrize("enough", [0, reading.EVERYTHING])
def test_what_was_worked_out_goes_at_once(
    tree: Path, made: list[weakref.ref[Kinds]], monkeypatch: pytest.MonkeyPatch, enough: int
) -> None:
    monkeypatch.setattr(reading, "EVERYTHING", enough)

    findings, _, _ = hunt([tree])

    assert findings
    assert made
    assert [reference for reference in made if reference() is not None] == []


def test_facts_of_an_island_go_before_the_next_is_judged(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(islands, "ENOUGH", 1)
    (tree / "alone.py").write_text("import threading\nLOCK = threading.Lock()\n", "utf-8")
    left: list[list[int]] = []
    judged = list(Program.of().modules)
    surveyed = Program.surveyed

    def noted(survey: Survey) -> Program:
        left.append([len(module.functions) for module in judged])
        judged.extend(survey.modules)
        return surveyed(survey)

    monkeypatch.setattr(Program, "surveyed", noted)
    cold, remembered = hunt([tree]), hunt([tree], cache=tree / "cache")

    assert cold[0]
    assert cold == remembered
    assert left == [[], [0], [0] * 4, [0] * 5]
