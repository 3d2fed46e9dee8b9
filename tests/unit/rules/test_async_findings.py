"""What the findings about event loops tell: two operations, where each runs, how sure it is."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding, Grade
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, *sources: tuple[str, str]) -> list[Finding]:
    modules = [SourceModule.from_text(dedent(text).lstrip(), path) for path, text in sources]
    return list(rule_named(code).check(Program.of(*modules)))


def confidences(code: str, text: str) -> list[Confidence]:
    return [finding.confidence for finding in findings(code, ("app.py", text))]


MAILER = """
    class Mailer:
        def __init__(self):
            self.recipient = ""

        async def send(self, recipient):
            self.recipient = recipient
            await self.connect()
            return self.recipient

        async def connect(self):
            await something()
    """
SENDER = """
    import asyncio
    from mailer import Mailer

    class Sender:
        def __init__(self, mailer: Mailer):
            self._mailer = mailer

        async def send_all(self, names):
            await asyncio.gather(*(self._one(name) for name in names))

        async def _one(self, name):
            await self._mailer.send(name)
    """


def test_state_across_await_is_certain_when_another_module_gathers_the_calls() -> None:
    (finding,) = findings("RH301", ("app/mailer.py", MAILER), ("app/sender.py", SENDER))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.grade is Grade.GIL
    assert finding.race_type == "Async State"
    assert (finding.location.path, finding.location.line) == ("app/mailer.py", 8)
    assert finding.first.context == "a task started at app/sender.py:9"
    assert finding.second.location.line == 6
    assert finding.subject.class_name == "Mailer"
    assert finding.subject.functions == ("send",)
    assert finding.subject.fields == ("recipient",)
    assert finding.evidence.splitlines() == [
        "self.recipient = recipient  # line 6",
        "await self.connect()  # line 7",
        "return self.recipient  # line 8",
    ]


def test_state_across_await_is_only_possible_where_nobody_runs_two_tasks() -> None:
    assert confidences("RH301", MAILER) == [Confidence.POSSIBLE]


def test_a_field_that_a_lock_guards_elsewhere_makes_it_likely() -> None:
    guarded = (
        MAILER
        + """
        async def reset(self):
            async with self._lock:
                self.recipient = ""
    """
    )

    assert confidences("RH301", guarded) == [Confidence.LIKELY]


def test_fingerprint_does_not_change_when_lines_above_do() -> None:
    (before,) = findings("RH301", ("mailer.py", MAILER))
    (after,) = findings("RH301", ("mailer.py", "import os\n\n" + dedent(MAILER)))

    assert before.fingerprint == after.fingerprint
    assert before.location.line != after.location.line


def test_check_await_act_names_the_other_function_that_changes_the_state() -> None:
    text = """
        import asyncio

        class Server:
            def __init__(self):
                self.port = 0
                self.name = ""

            async def open(self):
                if self.port == 0:
                    await asyncio.sleep(0)
                    self.port = self.choose()

            async def adopt(self, port):
                self.port = port

            async def both(self):
                await asyncio.gather(self.open(), self.adopt(8080))
        """
    (finding,) = findings("RH302", ("server.py", text))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.subject.functions == ("open", "adopt")
    assert "another task changes it in `adopt`" in finding.trigger


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        ("if self._x is None:\n            self._x = await ask()", Confidence.POSSIBLE),
        ("if self._x:\n            await make()\n            self._x = None", Confidence.POSSIBLE),
        ("if key not in self._x:\n            self._x[key] = await make()", Confidence.POSSIBLE),
        ("if 1 not in self._x:\n            self._x[1] = await ask()", Confidence.POSSIBLE),
    ],
)
def test_check_await_act_stays_possible_without_a_second_task(body: str, confidence: Confidence) -> None:
    text = f"""
class Holder:
    def __init__(self):
        self._x = {{}}

    async def get(self, key):
        {body}
"""

    assert confidences("RH302", text) == [confidence]


def test_check_await_act_in_a_special_method_is_nobody_elses_business() -> None:
    text = """
        class Holder:
            async def __aenter__(self):
                if self._x is None:
                    self._x = await make()
        """

    assert confidences("RH302", text) == []


def test_two_ways_to_run_the_same_worker_are_not_two_tasks() -> None:
    text = """
        import asyncio

        class Worker:
            def run(self):
                self.task = asyncio.create_task(self.main())

            async def run_async(self):
                self.task = asyncio.create_task(self.main())

            async def main(self):
                if self._pool is None:
                    self._pool = await make()
        """

    assert confidences("RH302", text) == [Confidence.POSSIBLE]


def test_loops_that_run_one_after_the_other_do_not_meet() -> None:
    text = """
        import asyncio

        TOTAL = 0

        async def add():
            global TOTAL
            TOTAL += await count()

        async def clear():
            global TOTAL
            TOTAL = 0

        def main():
            asyncio.run(add())
            asyncio.run(clear())
        """

    (finding,) = findings("RH301", ("app.py", text))

    assert finding.confidence is Confidence.LIKELY


def test_request_handlers_are_tasks_of_their_own() -> None:
    text = """
        app = make_app()
        HITS = 0

        @app.get("/")
        async def index(request):
            global HITS
            HITS = HITS + await weight(request)
        """
    (finding,) = findings("RH301", ("app.py", text))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.first.context == "a request handler started at app.py:5"


def test_registered_handler_of_an_object_shares_it() -> None:
    text = """
        class Api:
            def setup(self, app):
                app.router.add_get("/", self.index)

            async def index(self, request):
                self.user = request.user
                await self.log()
                return self.user
        """
    (finding,) = findings("RH301", ("app.py", text))

    assert finding.confidence is Confidence.CERTAIN


def test_group_of_tasks_that_get_a_function_shares_what_was_there_before() -> None:
    text = """
        import anyio

        class Job:
            async def step(self, name):
                self.name = name
                await anyio.sleep(0)
                return self.name

            async def run(self):
                async with anyio.create_task_group() as group:
                    for name in "ab":
                        group.start_soon(self.step, name)
                        group.start_soon(unknown, name)
        """

    assert confidences("RH301", text) == [Confidence.CERTAIN]


def test_unreferenced_task_shows_where_the_lost_task_waits() -> None:
    text = """
        import asyncio

        async def work():
            await answer()

        async def main():
            asyncio.create_task(work())
        """
    (finding,) = findings("RH305", ("app.py", text))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.second.function == "work"
    assert finding.second.location.line == 4
    assert "while the task waits in `work`" in finding.trigger


def test_task_that_only_sleeps_is_held_by_the_timer_and_loses_its_exception_alone() -> None:
    text = """
        import asyncio

        async def rest():
            await asyncio.sleep(1)

        async def work():
            await rest()
            await asyncio.sleep(0)

        async def main():
            asyncio.create_task(work())
        """
    (finding,) = findings("RH305", ("app.py", text))

    assert (finding.confidence, finding.doubt) == (Confidence.LIKELY, TaskDoubt.KEPT_BY_CLOCK.reason)
    assert "collect" not in finding.trigger + finding.impact
    assert "`work` raises after its sleep" in finding.trigger


def test_task_in_a_local_variable_is_only_possible_while_the_function_still_waits() -> None:
    text = """
        import asyncio

        async def main():
            server = asyncio.create_task(work())
            await forever()
        """

    assert confidences("RH305", text) == [Confidence.POSSIBLE]


def test_wrapper_without_a_task_of_its_own_is_none() -> None:
    text = """
        import asyncio

        def later(coroutine, group):
            group.create_task(coroutine)

        def again(coroutine):
            again(coroutine)

        async def main(group):
            later(work(), group)
            again(work())
        """

    assert confidences("RH305", text) == []


def test_thread_lock_across_await_names_who_else_takes_the_lock() -> None:
    text = """
        import threading

        class Store:
            def __init__(self):
                self._lock = threading.Lock()

            async def load(self):
                with self._lock:
                    await fetch()

            def size(self):
                with self._lock:
                    return 1
        """
    (finding,) = findings("RH303", ("store.py", text))

    assert (finding.confidence, finding.doubt) == (Confidence.LIKELY, TaskDoubt.NO_TWO_TASKS.reason)
    assert finding.subject.lock == "_lock"
    assert finding.subject.functions == ("load", "size")
    assert finding.second.context == "any thread that calls `size`"


ONE_TASK = """
    import asyncio
    import threading

    LOCK = threading.Lock()

    class Reactor:
        def add(self, handler):
            with LOCK:
                self.handler = handler

        async def listen(self):
            with LOCK:
                await asyncio.sleep(1)

        async def reset(self):
            with LOCK:
                self.handler = None

        async def main(self):
            await self.listen()
            MEANWHILE

        def run(self):
            asyncio.run(self.main())
    """


@pytest.mark.parametrize(
    ("meanwhile", "expected"),
    [
        ("await self.reset()", Confidence.POSSIBLE),
        ("self.task = asyncio.create_task(self.reset())", Confidence.CERTAIN),
        ("await asyncio.gather(self.listen(), self.listen(), self.reset())", Confidence.CERTAIN),
    ],
)
def test_lock_that_no_other_task_takes_makes_threads_wait_only(meanwhile: str, expected: Confidence) -> None:
    assert confidences("RH303", ONE_TASK.replace("MEANWHILE", meanwhile))[0] is expected


def test_context_manager_that_is_a_coroutine_or_unknown_holds_no_thread_lock() -> None:
    text = """
        async def use(make):
            with make.lock_free():
                await work()
            with acquire_lock():
                await work()
        """

    assert confidences("RH303", text) == []


def test_blocking_call_of_the_only_coroutine_is_only_possible() -> None:
    text = """
        import asyncio
        import time

        async def main():
            await asyncio.sleep(1)
            time.sleep(1)

        asyncio.run(main())
        """
    crowded = text + "\n        asyncio.gather"

    assert confidences("RH310", text) == [Confidence.POSSIBLE]
    assert confidences("RH310", crowded) == [Confidence.CERTAIN]
    assert confidences("RH310", crowded.replace("await asyncio.sleep(1)", "print(1)")) == [Confidence.POSSIBLE]


def test_blocking_call_is_accused_once_however_many_coroutines_make_it() -> None:
    text = """
        import time

        def nap():
            time.sleep(1)

        async def first():
            nap()

        async def second():
            nap()
        """
    (finding,) = findings("RH310", ("app.py", text))

    assert finding.first.function == "first"
    assert finding.second.function == "nap"
    assert finding.message == "`first` calls `time.sleep` through `nap` and blocks the event loop"


@pytest.mark.parametrize(
    "helper",
    [
        "if flag:\n        time.sleep(1)",
        "if flag:\n        return\n    time.sleep(1)",
        "if flag:\n        pass\n    else:\n        time.sleep(1)",
        "threading.Thread(target=time.sleep).start()",
    ],
)
def test_helper_that_may_not_block_is_not_accused(helper: str) -> None:
    text = f"""
import threading
import time

def helper(flag):
    {helper}

async def main(flag):
    helper(flag)
"""

    assert confidences("RH310", text) == []


def test_joining_a_thread_is_only_possible() -> None:
    text = """
        import threading

        class Owner:
            def __init__(self):
                self._thread = threading.Thread(target=print)

            async def stop(self):
                self._thread.join()
        """

    assert confidences("RH311", text) == [Confidence.POSSIBLE]


def test_handler_that_keeps_the_exception_may_pass_it_on() -> None:
    text = """
        async def collect(items):
            for item in items:
                try:
                    await item()
                except BaseException as error:
                    errors.append(error)
        """

    assert confidences("RH312", text) == [Confidence.POSSIBLE]


def test_handler_for_computed_exceptions_is_left_alone() -> None:
    text = """
        async def collect(items):
            for item in items:
                try:
                    await item()
                except errors()[0]:
                    pass
        """

    assert confidences("RH312", text) == []


def test_work_that_only_passes_something_on_seldom_fails() -> None:
    text = """
        import asyncio

        async def post(message):
            await queue(message)

        async def poll():
            while True:
                await post(1)

        def send(loop):
            asyncio.run_coroutine_threadsafe(post(1), loop)

        def start(loop):
            asyncio.run_coroutine_threadsafe(poll(), loop)
        """

    assert confidences("RH306", text) == [Confidence.POSSIBLE, Confidence.LIKELY]


def test_loop_known_by_name_alone_is_likely_touched() -> None:
    text = """
        import threading

        def work(loop):
            loop.call_soon(print)
            loop.call_soon()
            stop()

        def main(loop):
            threading.Thread(target=work, args=(loop,)).start()
        """

    assert confidences("RH309", text) == [Confidence.LIKELY, Confidence.LIKELY]


def test_primitive_in_a_plain_function_belongs_to_no_loop() -> None:
    text = """
        import asyncio

        READY = asyncio.Event()

        def ready():
            return READY.is_set()

        async def main():
            ready()
            READY.set()

        def start():
            for _ in range(2):
                asyncio.run(main())
        """
    (finding,) = findings("RH308", ("app.py", text))

    assert finding.first.function == "main"
    assert finding.second.context == "a new loop in each round"


def test_reentrant_lock_across_await_lets_the_other_task_in() -> None:
    text = """
        import threading

        class Store:
            def __init__(self):
                self._lock = threading.{kind}()

            async def load(self, key):
                with self._lock:
                    self.row = await fetch(key)
        """
    (stopped,) = findings("RH303", ("app.py", text.format(kind="Lock")))
    (let_in,) = findings("RH303", ("app.py", text.format(kind="RLock")))

    assert "the thread stops there" in stopped.trigger
    assert "it is let in" in let_in.trigger
    assert (stopped.confidence, let_in.confidence) == (Confidence.LIKELY, Confidence.POSSIBLE)


def test_blocking_call_of_a_helper_is_told_in_the_words_of_the_helper() -> None:
    text = """
        import queue

        JOBS = queue.Queue()

        def take():
            return JOBS.get()

        async def consume():
            return take()
        """

    (finding,) = findings("RH311", ("app.py", text))

    assert f"{finding.first.action} {finding.first.target}" == "calls `take`, which waits for an item of JOBS"


COUNTER = """
    import asyncio

    class Counter:
        def __init__(self):
            self.count = 0

        def reset(self):
            self.count = 0

        async def add(self):
            count = self.count
            await asyncio.sleep(0)
            self.count = count + 1

    async def main():
        counter = Counter()
        asyncio.get_running_loop().SCHEDULE
        task = asyncio.create_task(counter.add())
        await task
    """


@pytest.mark.parametrize(
    "schedule",
    [
        "call_soon(counter.reset)",
        "call_later(1, counter.reset)",
        "call_at(1, counter.reset)",
        "add_reader(0, counter.reset)",
        "add_signal_handler(1, counter.reset)",
    ],
)
def test_callback_of_the_loop_meets_a_task_that_waits(schedule: str) -> None:
    (finding,) = findings("RH301", ("app.py", COUNTER.replace("SCHEDULE", schedule)))

    assert finding.confidence is Confidence.CERTAIN
    assert finding.second.context == "a callback of the event loop, defined at app.py:7"


def test_callbacks_of_the_loop_do_not_meet_each_other() -> None:
    text = COUNTER.replace("SCHEDULE", "call_soon(counter.reset)").replace("async def add", "def add")
    text = text.replace("await asyncio.sleep(0)", "print(count)").replace("create_task(", "call_soon(")

    assert findings("RH301", ("app.py", text)) == []
    assert findings("RH102", ("app.py", text)) == []


@pytest.mark.parametrize(
    ("imported", "view"),
    [
        (
            "from starlette.routing import Route",
            "async def show(request):\n    BODY\nroutes = [Route('/', show)]\n",
        ),
        (
            "import tornado.web",
            "class Show(tornado.web.RequestHandler):\n    async def get(self):\n        BODY\n",
        ),
        ("from aiohttp import web", "class Show(web.View):\n    async def get(self):\n        BODY\n"),
    ],
)
def test_handlers_of_requests_meet_each_other(imported: str, view: str) -> None:
    counter = dedent(COUNTER).partition("async def main")[0]
    text = f"{imported}\n{counter}\nCOUNTER = Counter()\n{view.replace('BODY', 'await COUNTER.add()')}"

    (finding,) = findings("RH301", ("app.py", text))

    assert finding.confidence is Confidence.CERTAIN


@pytest.mark.parametrize(
    ("imported", "expected"), [("import click", Confidence.POSSIBLE), ("import discord", Confidence.CERTAIN)]
)
def test_command_of_a_terminal_program_runs_once(imported: str, expected: Confidence) -> None:
    counter = dedent(COUNTER).partition("async def main")[0]
    command = "@bot.command()\nasync def add(context):\n    await COUNTER.add()\n"
    text = f"{imported}\n{counter}\nCOUNTER = Counter()\n{command}"

    (finding,) = findings("RH301", ("app.py", text))

    assert finding.confidence is expected


THREADED = """
    import asyncio

    class Analyzer:
        def __init__(self):
            self.scores = {}

        def _best(self):
            for text in self.scores:
                print(text)

        async def analyse(self, text):
            await asyncio.sleep(1)
            self.scores[text] = len(text)
            return await asyncio.to_thread(self._best)

    async def main(texts):
        analyzer = Analyzer()
        WORK
    """


@pytest.mark.parametrize(
    ("work", "sure"),
    [
        ("await asyncio.gather(*(analyzer.analyse(text) for text in texts))", Confidence.LIKELY),
        ("await analyzer.analyse(texts)", Confidence.POSSIBLE),
    ],
)
def test_threads_of_several_coroutines_meet_what_these_do_on_the_loop(work: str, sure: Confidence) -> None:
    assert confidences("RH103", THREADED.replace("WORK", work)) == [sure]


READ_BY_HELPER = """
    import asyncio

    class Desk:
        def __init__(self):
            self.user = None
            self.turn = asyncio.Lock()

        async def handle(self, request):
            HANDLE

        async def audit(self):
            AUDIT

    async def main(requests):
        desk = Desk()
        await asyncio.gather(*(desk.handle(request) for request in requests))
    """


@pytest.mark.parametrize(
    ("handle", "audit", "expected"),
    [
        ("self.user = request.user; await self.audit()", "await asyncio.sleep(0); print(self.user)", 1),
        ("self.user = request.user; await self.audit()", "print(self.user); await asyncio.sleep(0)", 0),
        ("self.user = request.user; self.user = None; await self.audit()", "await fetch(); print(self.user)", 0),
        ("async with self.turn: self.user = request; await self.audit()", "await fetch(); print(self.user)", 0),
    ],
)
def test_helper_that_waits_before_it_reads_is_where_another_task_comes_between(
    handle: str, audit: str, expected: int
) -> None:
    text = READ_BY_HELPER.replace("HANDLE", handle).replace("AUDIT", audit)

    assert confidences("RH301", text) == [Confidence.CERTAIN] * expected
