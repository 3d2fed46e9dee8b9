from dataclasses import replace
from pathlib import Path

import pytest

from drivers.reports import finding
from racehound.model.checklist import Answer, Checklist, Question
from racehound.model.finding import Confidence
from racehound.pipeline import reading
from racehound.pipeline.census import Census, Sight
from racehound.pipeline.census_taking import census_of
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
    assert list(map(str, census.coroutines)) == ["worker.py:17"]
    assert list(map(str, census.threads)) == ["worker.py:9", "worker.py:28"]
    assert list(map(str, census.tasks)) == ["worker.py:21"]
    assert len(census.locks) == 2
    assert len(census.primitives) == 1
    assert list(map(str, census.globals)) == ["`SESSIONS` (worker.py:23)"]
    assert list(map(str, census.of_coroutines)) == ["`self.current` (worker.py:18)"]
    assert list(map(str, census.loops)) == ["worker.py:22"]
    assert list(map(str, census.gets)) == ["worker.py:24"]
    assert census.is_concurrent


def test_what_each_thread_has_for_itself_is_no_mutable_global() -> None:
    census = census_of(["work.py"], None, PER_THREAD)

    assert list(map(str, census.globals)) == ["`table` (work.py:20)"]


def test_variable_that_is_bound_anew_is_mutable_whatever_it_holds() -> None:
    renewed = PER_THREAD.replace(b"    mine.current = job\n", b"    ready = threading.Event()\n")

    assert [item.name for item in census_of(["work.py"], None, renewed).globals] == ["ready", "table"]


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
    census = Census(locks=[Sight("a.py", 1)], coroutines=[Sight("a.py", 2)], tasks=[Sight("a.py", 3)])
    sheets = answer_checklists([], census, RAN)

    order, held = asked(sheets, "Is lock ordering"), asked(sheets, "Are locks held during")
    assert (order.answer, order.is_good) == (Answer.YES, True)
    assert (held.answer, held.is_good) == (Answer.NO, True)
    assert asked(sheets, "Are background tasks").answer is Answer.YES


def test_question_whose_rules_did_not_run_is_left_open() -> None:
    census = Census(locks=[Sight("a.py", 1)])

    answer = asked(answer_checklists([], census, ["RH102"]), "Is lock ordering")

    assert answer.answer is Answer.NOT_APPLICABLE
    assert answer.reason == "the rules for it were not run"


def test_places_stand_behind_an_answer_that_is_neither_good_nor_bad() -> None:
    census = Census(globals=[Sight("a.py", number, f"G{number}") for number in range(7)])

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
    protected = asked(sheets, "Is access protected by locks")
    assert (protected.answer, protected.is_good) == (Answer.YES, True)


def test_primitives_that_a_coroutine_makes_for_itself_are_counted() -> None:
    sheets = answer_checklists([], census_of(["stock.py"], None, GUARDED), RAN)

    assert asked(sheets, "Are asyncio primitives created in event loop").answer is Answer.YES


def test_primitives_that_a_module_or_class_makes_are_told_with_their_lines() -> None:
    text = b"""\
import asyncio

GATE = asyncio.Semaphore(2)

class Stock:
    ready = asyncio.Event()

    async def wait(self):
        async with GATE:
            await self.ready.wait()
"""
    sheets = answer_checklists([], census_of(["stock.py"], None, text), RAN)

    made = asked(sheets, "Are asyncio primitives created in event loop")
    assert (made.answer, made.is_good) == (Answer.NO, None)
    assert made.reason.endswith("waits for them first: stock.py:3, stock.py:5")


@pytest.mark.parametrize(
    ("action", "answer"), [("writes an item of", Answer.YES), ("writes", Answer.NOT_APPLICABLE)]
)
def test_collection_without_a_lock_is_told_by_whatever_names_a_step_on_it(action: str, answer: Answer) -> None:
    told = finding(rule="RH102")
    told = replace(told, first=replace(told.first, action=action))

    sheets = answer_checklists([told], census_of(["stock.py"], None, GUARDED), RAN)

    assert asked(sheets, "Is collection accessed without locks").answer is answer


def test_object_that_escapes_early_is_state_of_several_threads_and_no_matter_of_locks() -> None:
    sheets = answer_checklists([finding(rule="RH112")], Census(threads=[Sight("stock.py", 1)]), RAN)

    assert asked(sheets, "Is state accessed from multiple").answer is Answer.YES
    protected = asked(sheets, "Is access protected by locks")
    assert (protected.answer, protected.findings) == (Answer.NOT_APPLICABLE, ())


UNLOCKED = b"""
import asyncio
STATE = {}
TURN = asyncio.Lock()

async def job(key):
    if key not in STATE:
        await asyncio.sleep(0)
        STATE[key] = 1

async def locked():
    async with TURN:
        await asyncio.sleep(0)

async def main(keys):
    await asyncio.gather(*(job(key) for key in keys))
"""


def test_what_is_there_is_told_though_nothing_is_found() -> None:
    sheets = answer_checklists([], census_of(["jobs.py"], None, UNLOCKED), RAN)

    said = {
        "Is state accessed from multiple": (Answer.YES, "`STATE` (jobs.py:9)"),
        "Is access protected by": (Answer.NO, "no lock is held where these are changed: `STATE` (jobs.py:9)"),
        "Are locks held during": (Answer.YES, "whoever wants the lock waits as long: `TURN` (jobs.py:13)"),
        "Are there awaits between": (Answer.YES, "with no lock all the way: `STATE` (jobs.py:9)"),
        "Is collection accessed": (Answer.YES, "no lock is held where these are used: `STATE` (jobs.py:9)"),
        "Are keys checked before": (Answer.YES, "looked for, then used: jobs.py:9"),
    }
    for start, told in said.items():
        answer = asked(sheets, start)
        assert (answer.answer, answer.reason, answer.is_good) == (*told, None)
    assert asked(sheets, "Are background tasks").reason.endswith("where they start: jobs.py:16")


def test_weaker_signs_are_no_good_answer() -> None:
    weak = replace(finding(rule="RH201"), confidence=Confidence.POSSIBLE, doubt="No two threads are seen.")

    order = asked(answer_checklists([], Census(locks=[Sight("a.py", 1)]), RAN, [weak]), "Is lock ordering")

    assert (order.answer, order.is_good, order.findings) == (Answer.NO, None, (weak,))
    assert order.reason == "there are only weaker signs; 1 finding of less confidence"


MAKING = """
import threading
COUNT = 0
client = None
lock = threading.Lock()

class Service:
    limit = 3
    _instance = None

    @classmethod
    def get(cls):
        {enter}
            if cls._instance is None:
                cls._instance = cls()
        return cls._instance

def connect():
    global client
    {enter}
        if client is None:
            client = Client()
    return client
"""


@pytest.mark.parametrize(
    ("enter", "answer", "reason"),
    [
        ("with lock:", (Answer.YES, True), "under a lock"),
        ("if True:", (Answer.NO, None), "no lock is held where these are set"),
    ],
)
def test_things_made_late_are_protected_where_a_lock_is_held(
    enter: str, answer: tuple[Answer, bool | None], reason: str
) -> None:
    sheets = answer_checklists([], census_of(["m.py"], None, MAKING.format(enter=enter).encode()), RAN)

    places = {
        "Is singleton": "`self._instance` (m.py:15)",
        "Are class variables": "`self._instance` (m.py:15)",
        "Is lazy": "`self._instance` (m.py:15), `client` (m.py:22)",
    }
    for start, named in places.items():
        told = asked(sheets, start)
        assert ((told.answer, told.is_good), told.reason) == (answer, f"{reason}: {named}")


def test_nothing_made_late_is_no_safe_making() -> None:
    plain = b"import threading\nclass Stock:\n    limit = 3\n    def size(self):\n        return self.limit\n"
    sheets = answer_checklists([], census_of(["m.py"], None, plain), RAN)

    assert asked(sheets, "Is singleton").reason == "there is no singleton"
    assert asked(sheets, "Is lazy").answer is Answer.NOT_APPLICABLE
    assert asked(sheets, "Are class variables").answer is Answer.YES


CROSSED = b"""
import asyncio

class Meter:
    def __init__(self):
        self._turn = asyncio.Condition()
        self._rows = {}
        self.total = 0

    async def add(self):
        async with self._turn:
            before = self.total
            await asyncio.sleep(0)
            self.total = before + 1

    async def ready(self):
        async with self._turn:
            await self._turn.wait()

    async def get(self, key):
        async with self._turn:
            self._rows[key] = 1
            return self._rows[key]
"""


def test_state_under_a_lock_between_tasks_is_protected_across_the_await() -> None:
    census = census_of(["meter.py"], None, CROSSED)
    sheets = answer_checklists([], census, RAN)

    crossed, held = asked(sheets, "Are there awaits between"), asked(sheets, "Are locks held during")
    assert (crossed.answer, crossed.is_good) == (Answer.YES, True)
    assert [item.line for item in census.held_awaits] == [13]
    assert held.is_good is None
    assert asked(sheets, "Is collection accessed").is_good is True
    assert asked(sheets, "Is there a get()").reason == "by [] only: meter.py:23"


def test_census_of_a_large_tree_has_the_files_that_are_not_worth_parsing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    (tmp_path / "plain.py").write_text("TABLE = {}\ndef put(key):\n    TABLE[key] = 1\n")
    (tmp_path / "work.py").write_bytes(UNLOCKED)

    census = census_of(["."], None, None)

    assert list(map(str, census.globals)) == ["`TABLE` (plain.py:3)", "`STATE` (work.py:9)"]
