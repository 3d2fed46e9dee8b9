"""What operations leave running when they are done, and where they run."""

import types
from collections.abc import Callable, Iterator

import pytest

from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.scenario import holding
from racehound.scenario.holding import is_reachable
from racehound.scenario.plan import plan_of
from racehound.scenario.prover import Prover

Load = Callable[[str], types.ModuleType]
Prove = Callable[..., Proof]

SOURCE = """
    import asyncio, queue, signal, threading

    KEPT = []

    async def answer():
        await asyncio.sleep(0)
        return 42

    def in_own_loop():
        with asyncio.Runner() as runner:
            return runner.run(answer())

    def in_current_loop():
        work = answer()
        try:
            return asyncio.get_event_loop().run_until_complete(work)
        finally:
            work.close()

    def in_future(number):
        future = asyncio.get_event_loop().create_future()
        future.set_result(1 / number)
        return future

    def with_signal():
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        raise ValueError

    class Thing:
        def __init__(self):
            self.entries = []
            self.tasks = set()
            self.wanted = asyncio.Event()
            self.queue = asyncio.Queue()

        async def _write(self, entry):
            await asyncio.sleep(0)
            self.entries.append(entry)

        async def _fail(self):
            await asyncio.sleep(0)
            raise ConnectionError("closed")

        async def _serve(self):
            while True:
                await self.wanted.wait()
                self.wanted.clear()

        async def _beat(self):
            while True:
                await asyncio.sleep(1)
                self.entries.append("beat")

        async def _expire(self):
            try:
                async with asyncio.timeout(5):
                    await asyncio.Event().wait()
            except TimeoutError:
                self.entries.append("late")

        def _keep(self, coroutine):
            task = asyncio.create_task(coroutine)
            self.tasks.add(task)

        async def forgotten(self):
            asyncio.create_task(self._write("entry"))

        async def taking(self):
            self.taker = asyncio.create_task(self._take_entry())

        async def _take_entry(self):
            self.entries.append(await self.queue.get())

        async def kept(self):
            self._keep(self._write("entry"))

        async def kept_outside(self):
            KEPT.append(asyncio.create_task(self._write("entry")))

        async def failing(self):
            self._keep(self._fail())

        async def serving(self):
            self._keep(self._serve())

        async def beating(self):
            self._keep(self._beat())

        async def expiring(self):
            self._keep(self._expire())

        async def calling_back(self):
            asyncio.get_running_loop().call_later(1, self.entries.append, "called")

        async def handing_back(self):
            return asyncio.create_task(self._write("entry"))

        async def looked_at(self):
            return list(self.entries)

        def start(self):
            threading.Thread(target=self.entries.append, args=("entry",)).start()

        def count(self):
            return len(self.entries)

        def hand_out(self, job):
            jobs, done = queue.Queue(), {"count": 0}
            for _ in range(2):
                threading.Thread(target=self._take, args=(jobs, done), daemon=True).start()
            for item in (job, None, None):
                jobs.put(item)
            return done

        def _take(self, jobs, done):
            while (job := jobs.get()) is not None:
                done["count"] += 1
                job()
"""


@pytest.fixture(name="prove")
def _prove(load: Load) -> Iterator[Prove]:
    provers: list[Prover] = []

    def prove(*tasks: str, setup: str = "Thing()", seconds: float = 10.0) -> Proof:
        module = load(SOURCE)
        prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
        provers.append(prover)
        text = ScenarioText(setup=setup, prefix=(), tasks=tuple((task,) for task in tasks))
        return prover.prove([text], seconds=seconds, relevant=lambda _: True)

    yield prove
    for prover in provers:
        prover.close()


@pytest.mark.parametrize("call", ["kept", "kept_outside", "handing_back", "calling_back"])
def test_task_that_outlives_its_caller_comes_to_its_end(prove: Prove, call: str) -> None:
    assert prove(f"await subject.{call}()", f"await subject.{call}()").verdict is Verdict.SAFE


def test_task_that_waits_with_a_timeout_comes_to_its_end(prove: Prove) -> None:
    proof = prove("await subject.expiring()", "await subject.looked_at()", seconds=2.0)

    assert proof.verdict in (Verdict.SAFE, Verdict.SAMPLED)
    assert any("late" in outcome.state for outcome in proof.serial)


def test_task_that_nothing_refers_to_may_be_lost(prove: Prove) -> None:
    proof = prove("await subject.forgotten()", "await subject.looked_at()")

    assert proof.verdict is Verdict.RACE
    assert proof.reason.startswith(
        "nothing refers to the task Thing._write, so it may be gone before it has ended;"
    )


def test_task_whose_only_name_is_given_to_another_is_known_to_the_queue_it_waits_at(prove: Prove) -> None:
    proof = prove("await subject.taking()", "await subject.taking()")

    assert proof.verdict is Verdict.SAFE, proof.reason


def test_task_that_waits_for_more_to_do_is_at_rest(prove: Prove) -> None:
    assert prove("await subject.serving()", "await subject.serving()").verdict is Verdict.SAFE


def test_task_that_never_rests_is_not_judged_by_how_far_it_came(prove: Prove) -> None:
    proof = prove("await subject.beating()", "await subject.looked_at()", seconds=0.5)

    assert proof.verdict is Verdict.SAMPLED, proof


def test_task_that_fails_in_serial_orders_too_is_no_race_but_not_safe(prove: Prove) -> None:
    proof = prove("await subject.failing()", "await subject.failing()")

    assert proof.verdict is Verdict.SAMPLED
    assert "ConnectionError ends a background task in serial orders too" in proof.reason


def test_daemons_come_to_rest_behind_the_last_operation_and_fail_there_in_serial_orders_too(prove: Prove) -> None:
    proof = prove("subject.hand_out(1)", "subject.count()")

    assert proof.verdict is Verdict.SAMPLED, proof
    assert "TypeError ends a background task in serial orders too" in proof.reason


WORKERS = """
    import queue, threading

    class Worker:
        def __init__(self):
            self.total = 0
            self.lock = threading.Lock()
            self.jobs = queue.SimpleQueue()
            threading.Thread(target=self._work, daemon=True).start()

        def _work(self):
            while True:
                self._add(self.jobs.get())

        def _add(self, job):
            with self.lock:
                self.total += job

        def submit(self):
            self.jobs.put(1)

        def seen(self):
            with self.lock:
                return self.total

        def reset(self):
            with self.lock:
                self.total = 10

    class Racy(Worker):
        def _add(self, job):
            self.total += job

    class Late(Worker):
        def __init__(self):
            self.begun = threading.Event()
            super().__init__()
            self.begun.wait()

        def _work(self):
            self.begun.set()
            super()._work()
"""


@pytest.mark.parametrize(
    ("kind", "verdict"), [("Worker", Verdict.SAFE), ("Racy", Verdict.RACE), ("Late", Verdict.SAFE)]
)
def test_thread_that_the_set_up_starts_is_part_of_the_race(load: Load, kind: str, verdict: Verdict) -> None:
    module = load(WORKERS)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    for calls in (["submit", "reset"], ["submit", "seen"], ["seen", "seen"]):
        tasks = tuple((f"subject.{call}()",) for call in calls)
        text = ScenarioText(setup=f"{kind}()", prefix=("subject.submit()",), tasks=tasks)
        proof = prover.prove([text], seconds=20)
        if proof.verdict is not Verdict.SAFE:
            break
    prover.close()

    assert proof.verdict is verdict, proof
    assert proof.verdict is not Verdict.RACE or "_racehound" not in str(proof)


def test_background_may_or_may_not_have_come_to_rest_before_the_next_operation(prove: Prove) -> None:
    assert prove("subject.start()", "subject.count()").verdict is Verdict.SAFE
    assert prove("await subject.kept()", "await subject.looked_at()").verdict is Verdict.SAFE


def test_thread_and_coroutine_are_compared_with_serial_orders_of_their_own_kind(prove: Prove) -> None:
    assert prove("in_own_loop()", "await answer()", setup="None").verdict is Verdict.SAFE
    assert prove("in_own_loop()", "in_own_loop()", setup="None").verdict is Verdict.SAFE


@pytest.mark.filterwarnings("ignore:There is no current event loop:DeprecationWarning")
def test_what_works_in_the_main_thread_alone_is_broken_by_threads(prove: Prove) -> None:
    proof = prove("in_current_loop()", "in_current_loop()", setup="None")

    assert (proof.verdict, proof.oracle) == (Verdict.RACE, "exception")
    assert "no current event loop" in proof.reason
    assert {result for outcome in proof.serial for result in outcome.results} == {"42"}


def test_method_that_hands_out_futures_is_raced_on_a_loop(prove: Prove) -> None:
    proof = prove("in_future(1)", "in_future(0)", setup="None")

    assert proof.verdict is not Verdict.RACE
    assert proof.scenario is not None
    assert proof.scenario.on_loop


def test_what_raises_in_the_main_thread_too_is_not_blamed_on_threads(prove: Prove) -> None:
    assert prove("with_signal()", "with_signal()", setup="None").verdict is Verdict.INCONCLUSIVE


def test_reference_is_found_through_closures_and_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = object()

    def closing_over() -> object:
        return wanted

    def with_default(value: object = wanted, *, named: object = None) -> object:
        return value or named

    assert is_reachable(wanted, [{"key": [closing_over]}])
    assert is_reachable(wanted, [with_default])
    assert not is_reachable(wanted, [types, int, print, {"other": object()}])
    monkeypatch.setattr(holding, "LIMIT", 2)
    assert is_reachable(wanted, [[[1, []], [2, []], [3, []], [4, []]]])


def test_wait_that_is_made_again_and_again_ends_in_vain_a_few_times_only(load: Load) -> None:
    module = load(
        """
        import threading

        class Pinger:
            def __init__(self):
                self.stopped = threading.Event()
                self.lock = threading.Lock()
                self.beats = 0
                threading.Thread(target=self._beat, daemon=True).start()

            def _beat(self):
                while not self.stopped.wait(5):
                    with self.lock:
                        self.beats += 1

            def stop(self):
                self.stopped.set()
        """
    )
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    tasks = (("subject.stop()",), ("subject.stop()",))
    proof = prover.prove([ScenarioText(setup="Pinger()", prefix=(), tasks=tasks)], seconds=30)
    prover.close()

    assert proof.verdict is Verdict.SAMPLED
    assert proof.executions < 1_000
    assert "was let have a few rounds only" in proof.reason


def test_which_of_two_workers_begins_first_is_nobodys_promise(load: Load) -> None:
    module = load(
        """
        import threading

        class Crew:
            def __init__(self):
                self.lock = threading.Lock()
                self.changed = threading.Condition(self.lock)
                self.members = set()
                self.leaving = 0

            def _work(self, number):
                with self.lock:
                    while not self.leaving:
                        self.changed.wait()
                    self.leaving -= 1
                    self.members.discard(number)

            def grow(self):
                with self.lock:
                    for number in (0, 1):
                        self.members.add(number)
                        threading.Thread(target=self._work, args=(number,), daemon=True).start()

            def shrink(self):
                with self.lock:
                    if self.members:
                        self.leaving += 1
                        self.changed.notify_all()
        """
    )
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    tasks = (("subject.grow()",), ("subject.shrink()",))
    proof = prover.prove([ScenarioText(setup="Crew()", prefix=(), tasks=tasks)], seconds=30)
    prover.close()

    assert proof.verdict is not Verdict.RACE, proof.outcome


def test_who_is_cancelled_by_an_operation_that_ends_things_is_not_raced_with_it(load: Load) -> None:
    module = load(
        """
        import asyncio

        class Loader:
            def __init__(self):
                self.running = set()

            async def load(self):
                task = asyncio.create_task(asyncio.sleep(1))
                self.running.add(task)
                await task
                self.running.discard(task)

            def close(self):
                for task in self.running:
                    task.cancel()
                self.running.clear()

            def forget(self):
                self.close()
        """
    )

    def verdict(call: str) -> Proof:
        prover = Prover(lambda text: plan_of(text, vars(module)), target={})
        tasks = (("await subject.load()",), (call,))
        text = ScenarioText(setup="Loader()", prefix=(), tasks=tasks, on_loop=True)
        try:
            return prover.prove([text], seconds=30)
        finally:
            prover.close()

    assert verdict("subject.forget()").verdict is Verdict.RACE
    ended = verdict("subject.close()")
    assert ended.verdict is Verdict.SAMPLED
    assert "one operation ends things and so cancels another" in ended.reason


def test_who_is_turned_away_while_a_function_runs_is_not_raced_with_it(load: Load) -> None:
    module = load(
        """
        import asyncio

        class Full(Exception):
            pass

        class Bulkhead:
            def __init__(self):
                self.free = 1
                self.calls = 0

            async def call(self, function):
                if not self.free:
                    raise Full
                self.free -= 1
                try:
                    return await function()
                finally:
                    self.free += 1

            async def counted(self, function):
                self.calls += 1
                return await self.call(function)
        """
    )

    def proven(method: str) -> Proof:
        prover = Prover(lambda text: plan_of(text, vars(module)), target={})
        call = f"await subject.{method}((lambda: asyncio.sleep(0)))"
        text = ScenarioText(setup="Bulkhead()", prefix=(), tasks=((call,), (call,)), on_loop=True)
        try:
            return prover.prove([text], seconds=30)
        finally:
            prover.close()

    away = proven("call")
    assert away.verdict is Verdict.SAMPLED
    assert "one operation is refused, without a trace" in away.reason
    assert proven("counted").verdict is Verdict.RACE
