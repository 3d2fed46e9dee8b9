"""What comes after all that was started has been waited for is ordered; what comes before that is not."""

from textwrap import dedent, indent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def sure(code: str, text: str) -> list[int]:
    """Lines of the findings that a plain hunt shows."""
    program = Program.of(SourceModule.from_text(text, "app.py"))
    found = rule_named(code).check(program)
    return [item.location.line for item in found if item.confidence is not Confidence.POSSIBLE]


THREADS = """\
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed, wait

RESULTS = {}
pool = ThreadPoolExecutor()

def work(number):
    RESULTS[number] = number

def main(others, stop):
"""
TOLD = "for key in RESULTS:\n    print(key)\n"
MADE = "ts = [threading.Thread(target=work, args=(i,)) for i in range(5)]\n"
STARTED = MADE + "for t in ts:\n    t.start()\n"
SUBMITTED = "fs = [pool.submit(work, i) for i in range(5)]\n"

WAITED = {
    "joined in a loop": STARTED + "for t in ts:\n    t.join()\n",
    "joined in a comprehension": MADE + "[t.start() for t in ts]\n[t.join() for t in ts]\n",
    "joined from a copy, with numbers": STARTED + "for i, t in enumerate(list(ts)):\n    t.join()\n",
    "joined with others": STARTED + "for t in ts + others:\n    t.join()\n",
    "collected when started": (
        "ts = []\nfor i in range(5):\n    t = threading.Thread(target=work, args=(i,))\n    t.start()\n"
        "    ts.append(t)\nfor t in ts:\n    t.join()\n"
    ),
    "asked until none is alive": STARTED + "while any(t.is_alive() for t in ts):\n    print()\n",
    "one after the other by name": (
        "a = threading.Thread(target=work, args=(1,))\nb = threading.Thread(target=work, args=(2,))\n"
        "a.start()\nb.start()\nfor t in (a, b):\n    t.join()\n"
    ),
    "waited for as futures": SUBMITTED + "wait(fs)\n",
    "asked for their results": SUBMITTED + "out = [f.result() for f in fs]\n",
    "asked in a try": SUBMITTED
    + "for f in fs:\n    try:\n        f.result()\n    except OSError:\n        print(f)\n",
    "as they complete": SUBMITTED + "for f in as_completed(fs):\n    print(f)\n",
    "by the end of the pool": SUBMITTED + "pool.shutdown()\n",
    "in each round of a loop": "while not stop:\n"
    + indent(STARTED + "for t in ts:\n    t.join()\n" + TOLD, "    "),
    "in a finally": "try:\n" + indent(STARTED, "    ") + "finally:\n    for t in ts:\n        t.join()\n",
}
RUNNING = {
    "told before the join": STARTED + TOLD + "for t in ts:\n    t.join()\n",
    "some joined": STARTED + "for t in ts[:2]:\n    t.join()\n",
    "others joined": STARTED + "for t in others:\n    t.join()\n",
    "joined with a time limit": STARTED + "for t in ts:\n    t.join(timeout=1)\n",
    "joined on a condition": STARTED + "for t in ts:\n    if t.name:\n        t.join()\n",
    "joined if asked to": STARTED + "if others:\n    for t in ts:\n        t.join()\n",
    "joined until told to stop": STARTED + "for t in ts:\n    t.join()\n    if stop:\n        break\n",
    "collected on a condition": (
        "ts = []\nfor i in range(5):\n    t = threading.Thread(target=work, args=(i,))\n    t.start()\n"
        "    if i:\n        ts.append(t)\nfor t in ts:\n    t.join()\n"
    ),
    "taken out before": STARTED + "ts.pop()\nfor t in ts:\n    t.join()\n",
    "the first one waited for": SUBMITTED + 'wait(fs, return_when="FIRST_COMPLETED")\n',
    "a pool left at once": SUBMITTED + "pool.shutdown(wait=False)\n",
    "as they complete in time": SUBMITTED + "for f in as_completed(fs, timeout=1):\n    print(f)\n",
    "a while that may end": STARTED + "while any(t.is_alive() for t in ts):\n    if stop:\n        break\n",
}


@pytest.mark.parametrize("body", WAITED.values(), ids=WAITED)
def test_what_comes_after_all_threads_is_ordered(body: str) -> None:
    assert sure("RH103", THREADS + indent(body + TOLD, "    ")) == []


@pytest.mark.parametrize("body", RUNNING.values(), ids=RUNNING)
def test_what_comes_before_the_last_thread_is_not(body: str) -> None:
    assert len(sure("RH103", THREADS + indent(body + TOLD, "    "))) > 0


RUNNER = """\
import threading

class Runner:
    def __init__(self):
        self.out = {}

    def _one(self, number):
        self.out[number] = number

    def start(self):
        self.ts = [threading.Thread(target=self._one, args=(i,)) for i in range(5)]
        for t in self.ts:
            t.start()

    def wait(self):
        for t in self.ts:
            t.join()

    def run(self):
        self.start()
        self.wait()
        return [key for key in self.out]
"""


def test_helpers_start_and_wait() -> None:
    hasty = RUNNER.replace("self.wait()\n", "print()\n")

    assert sure("RH103", RUNNER) == []
    assert sure("RH103", RUNNER.replace("join()", "join(1)")) == [22]
    assert sure("RH103", hasty) == [22]


QUEUED = """\
import queue
import threading

JOBS = queue.Queue()
RESULTS = {}

def work():
    while True:
        item = JOBS.get()
        RESULTS[item] = item
        JOBS.task_done()

def main():
    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    for number in range(9):
        JOBS.put(number)
    JOBS.join()
    for key in RESULTS:
        print(key)
"""


def test_queue_that_is_joined_waits_for_what_is_done_with_its_items() -> None:
    late = QUEUED.replace(
        "        RESULTS[item] = item\n        JOBS.task_done()\n",
        "        JOBS.task_done()\n        RESULTS[item] = item\n",
    )
    refilled = QUEUED.replace("JOBS.join()\n", "JOBS.join()\n    JOBS.put(9)\n")

    assert sure("RH103", QUEUED) == []
    assert sure("RH103", late) == [19]
    assert sure("RH103", refilled) == [20]


UPDATED = """\
import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

TOTAL = 0

def more(number):
    return number + 1

def bump(number):
    global TOTAL
    TOTAL = more(TOTAL)

"""
IN_TURN = {
    "awaited in a loop": "async def main():\n    for i in range(3):\n        await asyncio.to_thread(bump, i)\n",
    "awaited twice": (
        "async def main():\n    await asyncio.to_thread(bump, 1)\n    await asyncio.to_thread(bump, 2)\n"
    ),
    "awaited by name": (
        "async def main():\n    loop = asyncio.get_running_loop()\n    for i in range(3):\n"
        "        job = loop.run_in_executor(None, bump, i)\n        await job\n"
    ),
    "asked at once": (
        "async def main():\n    pool = ThreadPoolExecutor()\n    for i in range(3):\n"
        "        pool.submit(bump, i).result()\n"
    ),
    "got at once": (
        "async def main():\n    pool = ThreadPool(3)\n    for i in range(3):\n"
        "        pool.apply_async(bump, (i,)).get()\n"
    ),
    "joined at once": (
        "async def main():\n    for i in range(3):\n        t = threading.Thread(target=bump, args=(i,))\n"
        "        t.start()\n        t.join()\n"
    ),
}
AT_ONCE = {
    "awaited by many": (
        "async def one(i):\n    await asyncio.to_thread(bump, i)\n\n"
        "async def main():\n    await asyncio.gather(*(one(i) for i in range(3)))\n"
    ),
    "gathered": "async def main():\n    await asyncio.gather(*[asyncio.to_thread(bump, i) for i in range(3)])\n",
    "asked at once by two threads": (
        "pool = ThreadPoolExecutor()\n\ndef one():\n    pool.submit(bump, 1).result()\n\n"
        "async def main():\n    for _ in range(2):\n        threading.Thread(target=one).start()\n"
    ),
    "asked with a time limit": (
        "async def main():\n    pool = ThreadPoolExecutor()\n    for i in range(3):\n        try:\n"
        "            pool.submit(bump, i).result(timeout=1)\n        except TimeoutError:\n            continue\n"
    ),
    "the last one joined": (
        "async def main():\n    for i in range(3):\n        t = threading.Thread(target=bump, args=(i,))\n"
        "        t.start()\n    t.join()\n"
    ),
}


@pytest.mark.parametrize("body", IN_TURN.values(), ids=IN_TURN)
def test_work_that_is_waited_for_at_once_does_not_meet_itself(body: str) -> None:
    assert sure("RH102", f"{UPDATED}{body}\nasyncio.run(main())\n") == []


@pytest.mark.parametrize("body", AT_ONCE.values(), ids=AT_ONCE)
def test_work_of_several_starters_does(body: str) -> None:
    assert sure("RH102", f"{UPDATED}{body}\nasyncio.run(main())\n") == [13]


def test_coroutine_that_others_may_call_is_not_alone() -> None:
    text = UPDATED + IN_TURN["awaited twice"]
    script = f"{text}\nasyncio.run(main())\n"
    other = "import app\nimport asyncio\n\nasync def both():\n    await asyncio.gather(app.main(), app.main())\n"
    program = Program.of(SourceModule.from_text(script, "app.py"), SourceModule.from_text(other, "other.py"))

    assert sure("RH102", text) == [13]
    assert [item.location.line for item in rule_named("RH102").check(program)] == [13]


TASKS = """\
import asyncio

RESULTS = {}

async def fetch(url):
    await asyncio.sleep(0)
    RESULTS[url] = 1

async def main():
"""
EACH = "    for url in RESULTS:\n        await asyncio.sleep(0)\n\nasyncio.run(main())\n"
CREATED = "    ts = [asyncio.create_task(fetch(u)) for u in 'abc']\n"


@pytest.mark.parametrize(
    "body",
    [
        "    await asyncio.gather(*(fetch(u) for u in 'abc'))\n",
        CREATED + "    await asyncio.gather(*ts, return_exceptions=True)\n",
        CREATED + "    await asyncio.wait(ts)\n",
        CREATED + "    for t in ts:\n        await t\n",
    ],
)
def test_what_comes_after_all_tasks_is_ordered(body: str) -> None:
    assert sure("RH103", TASKS + body + EACH) == []


@pytest.mark.parametrize(
    "body",
    [
        CREATED,
        CREATED + "    await ts[0]\n",
        CREATED + "    await asyncio.wait(ts, timeout=1)\n",
        "    late = asyncio.create_task(fetch('d'))\n    await asyncio.gather(*(fetch(u) for u in 'abc'))\n",
    ],
)
def test_what_comes_while_tasks_run_is_not(body: str) -> None:
    assert len(sure("RH103", TASKS + body + EACH)) == 1


ACCOUNT = """\
import asyncio

class Account:
    def __init__(self):
        self.total = 0

    async def add(self, number):
        before = self.total
        await asyncio.sleep(0)
        self.total = before + number

async def main():
    account = Account()
    for number in range(3):
        task = asyncio.create_task(account.add(number))
        await task
    await asyncio.create_task(account.add(4))

"""


def test_tasks_that_are_awaited_at_once_come_in_turn() -> None:
    assert sure("RH301", f"{ACCOUNT}asyncio.run(main())\n") == []
    assert sure(
        "RH301", f"{ACCOUNT.replace('        await task', '        print(task)')}asyncio.run(main())\n"
    ) == [10]


JOBS = """\
from concurrent.futures import ThreadPoolExecutor

class Job:
    def __init__(self):
        self.lines = 0

    def run(self):
        self.lines = more(self.lines)

def more(number):
    return number + 1

def main(paths):
    job = Job()
    jobs = [Job() for _ in paths]
    with ThreadPoolExecutor() as pool:
        WORK
"""


def test_method_of_a_class_that_is_mapped_runs_on_the_items() -> None:
    assert sure("RH102", JOBS.replace("WORK", "list(pool.map(Job.run, jobs))")) == []
    assert sure("RH102", JOBS.replace("WORK", "[pool.submit(job.run) for _ in paths]")) == [8]


CONFIG = dedent("""
    import threading

    class Config:
        def __init__(self):
            self._lock = threading.Lock()

        def values(self, lines):
            with self._lock:
                if not hasattr(self, "_values"):
                    self._values = {}
                    for line in lines:
                        self._values[line] = 1
                return self._values
    """)


def test_container_that_is_full_before_anybody_gets_it_is_not_leaked() -> None:
    assert sure("RH110", CONFIG) == []
    assert sure(
        "RH110", CONFIG.replace("        for line in lines:\n            ", "    for line in lines:\n        ")
    ) == [14]
