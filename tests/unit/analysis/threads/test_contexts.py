from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.source.events import SELF
from racehound.source.module import SourceModule

HEAD = """
import threading, asyncio, _thread
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor
POOL = ThreadPoolExecutor(1)
class Thing:
    def work(self): pass
SHARED = Thing()
def work(*args): pass
def use(thing: Thing): thing.work()
"""


def activations(text: str, name: str) -> set[tuple[str, bool, bool]]:
    """What runs it, whether many at once, whether on an instance that others have."""
    whole = Program.of(SourceModule.from_text(HEAD + dedent(text), "m.py"))
    item = next(item for item in whole.modules[0].functions if item.qualified_name == name)
    return {(found.context.what, found.context.many, SELF in found.shared) for found in whole.contexts.of(item)}


@pytest.mark.parametrize(
    ("call", "what", "many"),
    [
        ("threading.Thread(target=work)", "a thread", False),
        ("threading.Thread(None, work)", "a thread", False),
        ("[threading.Thread(target=work) for _ in x]", "a thread", True),
        ("threading.Timer(1, work)", "a thread", False),
        ("_thread.start_new_thread(work, ())", "a thread", False),
        ("asyncio.to_thread(work)", "a worker thread", True),
        ("loop.run_in_executor(None, work)", "a pool thread", True),
        ("POOL.submit(work)", "a pool thread", False),
        ("pool.submit(work)", "a pool thread", True),
        ("x[0].submit(work)", "a pool thread", True),
        ("ThreadPoolExecutor().submit(work)", "a pool thread", True),
        ("ThreadPoolExecutor().map(work, x)", "a pool thread", True),
        ("ThreadPoolExecutor(max_workers=1).submit(work)", "a pool thread", False),
        (
            "ThreadPoolExecutor().submit(print).add_done_callback(work)",
            "the thread that completes the future",
            True,
        ),
    ],
)
def test_work_handed_to_a_thread_runs_there(call: str, what: str, many: bool) -> None:
    assert activations(f"def start(x, loop, pool):\n    {call}\n", "work") == {(what, many, True)}


ONCE = """
def start(x, thing):
    with ThreadPoolExecutor() as pool:
        {}
"""


@pytest.mark.parametrize(
    ("steps", "many"),
    [
        ("pool.submit(work); pool.submit(use, x)", False),
        ("[pool.submit(work) for _ in x]", True),
        ("pool.map(work, x)", True),
    ],
)
def test_work_given_once_to_a_pool_of_one_block_runs_once(steps: str, many: bool) -> None:
    assert activations(ONCE.format(steps), "work") == {("a pool thread", many, True)}


def test_work_given_once_runs_often_where_its_starter_does() -> None:
    text = ONCE.format("pool.submit(work)") + "def go():\n    [threading.Thread(target=start) for _ in range(3)]\n"

    assert any(many for _, many, _ in activations(text, "work"))


@pytest.mark.parametrize(
    ("body", "shared"),
    [
        ("thing = Thing(); await asyncio.to_thread(thing.work)", False),
        ("thing = SHARED; await asyncio.to_thread(thing.work)", True),
        ("await asyncio.to_thread(SHARED.work)", True),
        ("thing = Thing(); keep(thing); await asyncio.to_thread(thing.work)", True),
        ("thing = Thing(); x.thing = thing; await asyncio.to_thread(thing.work)", True),
        ("thing = Thing(); task = asyncio.to_thread(thing.work); await task", True),
        ("thing = Thing(); threading.Thread(target=thing.work).start(); thing.work()", True),
        (
            "thing = Thing(); await asyncio.gather(asyncio.to_thread(thing.work), asyncio.to_thread(thing.work))",
            True,
        ),
    ],
)
def test_what_a_coroutine_makes_and_waits_for_is_its_own(body: str, shared: bool) -> None:
    found = activations(f"async def start(x):\n    {body}\n", "Thing.work")

    assert found
    assert any(is_shared for *_, is_shared in found) is shared


TURNS = """
class Server:
    def __init__(self):
        self._turn = asyncio.Lock()
        self._many = asyncio.Semaphore(3)
    async def handle(self):
        async with self._turn:
            {}
    async def again(self):
        async with self._turn:
            await asyncio.to_thread(self.step)
    def step(self): pass
"""


@pytest.mark.parametrize(
    ("step", "many"),
    [
        ("await asyncio.to_thread(self.step)", False),
        ("self.task = asyncio.to_thread(self.step)", True),
        ("pass\n        await asyncio.to_thread(self.step)", True),
        ("pass\n        async with self._many:\n            await asyncio.to_thread(self.step)", True),
    ],
)
def test_threads_awaited_under_one_lock_of_the_loop_run_one_by_one(step: str, many: bool) -> None:
    found = activations(TURNS.format(step), "Server.step")

    assert any(item[1] for item in found) is many
    assert len(found) == 1 + many


@pytest.mark.parametrize(
    "call",
    [
        "threading.Thread()",
        "threading.Thread(target=x.work)",
        "threading.Thread(target=(lambda: 1)())",
        "asyncio.to_thread()",
        "loop.run_in_executor(None)",
        "ProcessPoolExecutor().submit(work)",
        "pool.map(work, x)",
        "pool.submit()",
        "task.add_done_callback(work)",
        "f().add_done_callback()",
        "submit(work)",
        "Thread(target=work)",
    ],
)
def test_other_calls_start_nothing(call: str) -> None:
    assert activations(f"def start(x, loop, pool, task):\n    {call}\n", "work") == set()


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("def start(thing: Thing): threading.Thread(target=thing.work)", True),
        ("def start(thing: Thing): threading.Thread(target=use, args=(thing,))", True),
        ("def start(thing: Thing): threading.Thread(target=use, args=(Thing(),))", False),
        ("def start():\n    x = f()\n    threading.Thread(target=run)\ndef run(x: Thing): map(x.work, [])", False),
        ("def start():\n    threading.Thread(target=run)\ndef run(): SHARED.work()", True),
        ("def start():\n    threading.Thread(target=run)\ndef run():\n    use(SHARED)", True),
        (
            "def start():\n    threading.Thread(target=run)\ndef run():\n    thing = Thing()\n    thing.work()",
            False,
        ),
        ("def start():\n    threading.Thread(target=run)\ndef run():\n    thing = SHARED\n    thing.work()", True),
        (
            "def start():\n    threading.Thread(target=run)\ndef run():\n    x = SHARED\n    y = x\n    y.work()",
            True,
        ),
        ("def start(t: Thing): threading.Thread(target=run, args=(t,))\ndef run(x):\n    y = x\n    use(y)", True),
        ("def start():\n    for i in x:\n        t = Thing()\n        threading.Thread(target=t.work)", False),
        ("def start():\n    t = Thing()\n    for i in x:\n        threading.Thread(target=t.work)", True),
        ("def start():\n    threading.Thread(target=lambda: map(SHARED.work, x))", True),
    ],
)
def test_object_is_shared_if_it_was_there_before_the_threads(text: str, shared: bool) -> None:
    found = {on_shared for _, _, on_shared in activations(text, "Thing.work")}

    assert found == {shared}


def test_pool_made_by_a_method_is_known_through_its_field() -> None:
    text = """
        class C:
            def __init__(self):
                self.pool = ThreadPoolExecutor(max_workers=1)
            def start(self):
                self.pool.submit(self.run)
            def run(self): pass
        """
    assert activations(text, "C.run") == {("a pool thread", False, True)}


def test_run_of_a_thread_class_is_one_thread_per_instance() -> None:
    text = "class T(threading.Thread):\n    def run(self): self.step()\n    def step(self): pass\n"

    assert activations(text, "T.step") == {("the thread", False, True)}


def test_context_says_where_it_starts() -> None:
    whole = Program.of(SourceModule.from_text("import threading\ndef f(): threading.Thread(target=f)\n", "m.py"))
    item = whole.modules[0].functions[1]

    assert [str(context) for context in whole.contexts.all(item)] == ["a thread started at m.py:2"]
