from dataclasses import replace
from pathlib import Path

import pytest

from drivers.reports import finding
from racehound.model.checklist import Answer, Checklist, Question
from racehound.pipeline.census import Census, census_of
from racehound.pipeline.checklist import answer_checklists
from racehound.rules.registry import all_rules

RAN = [rule.meta.code for rule in all_rules()]
CODE = b"""
import asyncio
import threading
from asyncio import Queue

SESSIONS = {}
LIMIT = 3

class Worker(threading.Thread):
    guard = threading.Lock()

    def __init__(self):
        self.lock = threading.Lock()
        self.queue = Queue()
        self.items = []

    async def step(self, item):
        self.current = item
        self.current = item
        await asyncio.sleep(0)
        asyncio.create_task(self.step(item))
        for other in self.items:
            SESSIONS[other] = item
        return SESSIONS.get(item, LIMIT)

def start(SESSIONS):
    SESSIONS = {}
    threading.Thread(target=print).start()
"""


PER_THREAD = b"""
import threading
from queue import Queue
from threading import local as Local

class Own(threading.local):
    pass

mine = Local()
own = Own()
jobs = Queue()
ready = threading.Event()
table = {}

def work(job):
    global ready
    mine.current = job
    own.current = job
    jobs.put(job)
    table[job] = mine.current

def rest():
    ready.clear()
"""


def asked(checklists: tuple[Checklist, ...], start: str) -> Question:
    (found,) = [item for sheet in checklists for item in sheet.questions if item.text.startswith(start)]
    return found


def test_census_counts_what_there_is_to_ask_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "worker.py").write_bytes(CODE)
    (tmp_path / "broken.py").write_bytes(b"def f(:\n")

    census = census_of(["."], None, None)

    assert census == census_of(["worker.py"], None, CODE)
    assert census.coroutines == ["worker.py:17"]
    assert census.threads == ["worker.py:9", "worker.py:28"]
    assert census.tasks == ["worker.py:21"]
    assert len(census.locks) == 2
    assert len(census.primitives) == 1
    assert census.globals == ["`SESSIONS` (worker.py:23)"]
    assert census.awaited_state == ["`self.current` (worker.py:18)"]
    assert census.loops == ["worker.py:22"]
    assert "worker.py:24" in census.gets
    assert census.is_concurrent


def test_what_each_thread_has_for_itself_is_no_mutable_global() -> None:
    census = census_of(["work.py"], None, PER_THREAD)

    assert census.globals == ["`table` (work.py:20)"]


def test_variable_that_is_bound_anew_is_mutable_whatever_it_holds() -> None:
    renewed = PER_THREAD.replace(b"    mine.current = job\n", b"    ready = threading.Event()\n")

    assert census_of(["work.py"], None, renewed).globals == ["`ready` (work.py:17)", "`table` (work.py:20)"]


def test_all_eighteen_questions_are_answered_in_four_lists() -> None:
    sheets = answer_checklists([], Census(), RAN)

    assert [sheet.title for sheet in sheets] == [
        "Shared Mutable State",
        "Async Safety",
        "Dict/List Safety",
        "Initialization Safety",
    ]
    assert [len(sheet.questions) for sheet in sheets] == [5, 5, 4, 4]


def test_every_rule_that_a_question_names_exists_or_will() -> None:
    sheets = answer_checklists([replace(finding(), rule=code) for code in RAN], Census(), RAN)

    behind = {item.rule for sheet in sheets for question in sheet.questions for item in question.findings}
    assert behind >= {"RH101", "RH201", "RH303", "RH305", "RH306", "RH307", "RH308"}


def test_code_without_concurrency_has_little_to_answer() -> None:
    sheets = answer_checklists([], Census(), RAN)

    lock_order = asked(sheets, "Is lock ordering")
    assert lock_order.answer is Answer.NOT_APPLICABLE
    assert lock_order.reason == "there are no locks"
    assert asked(sheets, "Is access protected").answer is Answer.NOT_APPLICABLE
    assert asked(sheets, "Are there module-level").answer is Answer.NO


def test_findings_stand_behind_an_answer() -> None:
    found = replace(finding(), rule="RH201")

    answer = asked(answer_checklists([found], Census(), RAN), "Is lock ordering")

    assert answer.answer is Answer.NO
    assert answer.is_good is False
    assert answer.findings == (found,)
    assert answer.reason == "1 finding"


def test_exception_of_a_task_that_nobody_keeps_is_not_handled() -> None:
    lost = replace(finding(), rule="RH305")

    answer = asked(answer_checklists([lost], Census(), RAN), "Are exceptions from tasks")

    assert (answer.answer, answer.findings) == (Answer.NO, (lost,))


def test_absence_of_findings_is_the_good_answer() -> None:
    census = Census(locks=["a.py:1"], coroutines=["a.py:2"], tasks=["a.py:3"])
    sheets = answer_checklists([], census, RAN)

    order, held = asked(sheets, "Is lock ordering"), asked(sheets, "Are locks held during")
    assert (order.answer, order.is_good) == (Answer.YES, True)
    assert (held.answer, held.is_good) == (Answer.NO, True)
    assert asked(sheets, "Are background tasks").answer is Answer.YES


def test_question_whose_rules_did_not_run_is_left_open() -> None:
    census = Census(locks=["a.py:1"])

    answer = asked(answer_checklists([], census, ["RH102"]), "Is lock ordering")

    assert answer.answer is Answer.NOT_APPLICABLE
    assert answer.reason == "the rules for it were not run"


def test_places_stand_behind_an_answer_that_is_neither_good_nor_bad() -> None:
    census = Census(globals=[f"`G{number}` (a.py:{number})" for number in range(7)])

    answer = asked(answer_checklists([], census, RAN), "Are there module-level")

    assert (answer.answer, answer.is_good) == (Answer.YES, None)
    assert answer.reason.endswith("`G4` (a.py:4), 2 more")


GUARDED = b"""
import asyncio
import threading

class Stock:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0

    def take(self):
        with self._lock:
            self._count -= 1

async def work():
    gate = asyncio.Lock()
    async with gate:
        pass
"""


def test_state_under_a_lock_is_used_by_several_threads_and_protected() -> None:
    sheets = answer_checklists([], census_of(["stock.py"], None, GUARDED), RAN)

    shared = asked(sheets, "Is state accessed from multiple")
    assert (shared.answer, shared.reason) == (Answer.YES, "`self._count` (stock.py:12)")
    assert asked(sheets, "Is access protected by locks").answer is Answer.YES


def test_primitives_that_a_coroutine_makes_for_itself_are_counted() -> None:
    sheets = answer_checklists([], census_of(["stock.py"], None, GUARDED), RAN)

    assert asked(sheets, "Are asyncio primitives created in event loop").answer is Answer.YES


@pytest.mark.parametrize(("action", "answer"), [("writes an item of", Answer.YES), ("writes", Answer.NO)])
def test_collection_without_a_lock_is_told_by_whatever_names_a_step_on_it(action: str, answer: Answer) -> None:
    told = finding(rule="RH102")
    told = replace(told, first=replace(told.first, action=action))

    sheets = answer_checklists([told], census_of(["stock.py"], None, GUARDED), RAN)

    assert asked(sheets, "Is collection accessed without locks").answer is answer


def test_object_that_escapes_early_is_state_of_several_threads() -> None:
    sheets = answer_checklists([finding(rule="RH112")], Census(threads=["stock.py:1"]), RAN)

    assert asked(sheets, "Is state accessed from multiple").answer is Answer.YES
    assert asked(sheets, "Is access protected by locks").answer is Answer.YES
