import types
from collections.abc import Callable, Iterator

import pytest

from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.model.schedule import Schedule, decode_token
from racehound.scenario.calls import BLOCK
from racehound.scenario.judge import NO_TRACE
from racehound.scenario.plan import plan_of
from racehound.scenario.prover import Prover
from racehound.scenario.serial import TOO_SLOW

Load = Callable[[str], types.ModuleType]


@pytest.fixture(name="prove")
def _prove(load: Load) -> Iterator[Callable[..., Proof]]:
    provers: list[Prover] = []

    def prove(
        source: str, *tasks: str, setup: str = "Thing()", prefix: tuple[str, ...] = (), seconds: float = 10.0
    ) -> Proof:
        module = load(source)
        prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
        provers.append(prover)
        text = ScenarioText(setup=setup, prefix=prefix, tasks=tuple((task,) for task in tasks))
        return prover.prove([text], seconds=seconds, relevant=lambda _: True)

    yield prove
    for prover in provers:
        prover.close()


SLOW = """
    class Thing:
        def __init__(self):
            self.n = 0

        def serve(self):
            while True:
                self.n = self.n + 1

        def up(self):
            self.n += 1

        def look(self):
            return 1
"""


def scenarios(*pairs: tuple[str, str]) -> list[ScenarioText]:
    return [ScenarioText(setup="Thing()", prefix=(), tasks=((one,), (other,))) for one, other in pairs]


def test_what_takes_too_long_one_after_the_other_is_put_off(load: Load) -> None:
    module = load(SLOW)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
    serve, up = "subject.serve()", "subject.up()"

    proof = prover.prove(scenarios((serve, up), (up, serve), (serve, serve), (up, up)), seconds=2.0)

    assert proof.verdict is Verdict.RACE
    assert proof.scenario is not None
    assert proof.scenario.tasks == ((up,), (up,))
    prover.close()


def test_what_was_put_off_and_not_come_back_to_is_not_called_safe(load: Load) -> None:
    module = load(SLOW)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
    serve, look = "subject.serve()", "subject.look()"

    proof = prover.prove(scenarios((serve, look), (look, look)), seconds=0.6)

    assert proof.verdict is Verdict.SAMPLED, proof.reason
    prover.close()


def test_what_is_too_slow_alone_says_so(load: Load) -> None:
    module = load(SLOW)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})

    proof = prover.prove(scenarios(("subject.serve()", "subject.serve()")), seconds=0.4)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason.startswith((TOO_SLOW, "the operations take more than 100,000 steps"))  # in time, or sooner
    prover.close()


def test_one_call_is_seen_alone_as_long_as_there_is_time_for_it(load: Load) -> None:
    module = load(SLOW)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
    up, look, serve, missing = (
        ScenarioText(setup="Thing()", prefix=(), tasks=((f"subject.{name}()",),))
        for name in ("up", "look", "serve", "missing")
    )

    before, after = prover.seen_alone(look), prover.seen_alone(up)
    assert before is not None
    assert after is not None
    assert (before.result, after.result) == ("1", "None")
    assert before.state != after.state
    assert "AttributeError" in str(prover.seen_alone(missing))

    prover.prove([], seconds=0.4)
    assert prover.seen_alone(serve) is None  # there was no time for it, and will be none
    assert prover.seen_alone(serve) is None
    prover.prove([], seconds=0.0)
    assert prover.seen_alone(look) is None
    prover.close()


COUNTER = """
    import threading, time, random, os

    class Thing:
        def __init__(self):
            self.n = 0
            self.lock = threading.Lock()
            self.made = object()

        def up(self):
            self.n += 1

        def safe_up(self):
            with self.lock:
                self.n += 1

        def stamp(self):
            self.token = os.urandom(8)

        def fail(self):
            raise ValueError("always")

        def stuck(self):
            self.lock.acquire()
            self.lock.acquire()

        def leave(self):
            raise SystemExit(3)

        def spin(self):
            while True:
                self.n += 1

        def coin(self):
            if random.SystemRandom().random() < 0.5:
                self.n += 1
            else:
                self.n += 2
                self.n += 3

        def shuffle(self):
            random.shuffle([1, 2])
            self.n = sorted([self.n, 2])[0]

        def opaque(self):
            import json
            self.common.clear()
            return json.dumps(self.common)

        common = {}

        def doze(self):
            time.sleep(100)
            with self.lock:
                self.n += 1

        def timed(self):
            if self.lock.acquire(timeout=5):
                self.n += 1
                self.lock.release()
"""


def test_race_has_everything_a_person_needs(prove: Callable[..., Proof]) -> None:
    proof = prove(COUNTER, "subject.up()", "subject.up()")

    assert proof.verdict is Verdict.RACE
    assert proof.oracle == "serial outcomes"
    assert proof.reason == "the results and the final state are those of no serial order"
    assert [(step.task, step.operation, step.target, step.value, step.switch) for step in proof.timeline] == [
        (0, "read", "self.n", "0", False),
        (1, "read", "self.n", "0", True),
        (1, "write", "self.n", "1", False),
        (0, "write", "self.n", "1", True),
    ]
    assert {step.source for step in proof.timeline} == {"self.n += 1"}
    assert {outcome.order for outcome in proof.serial} == {("subject.up()", "subject.up()")}
    assert all("n=2" in outcome.state for outcome in proof.serial)
    assert proof.outcome is not None
    assert "n=1" in proof.outcome.state
    assert proof.token is not None
    assert decode_token(proof.token)["target"] == {"path": "x.py", "class": "Thing"}


def test_exhausted_search_is_safe(prove: Callable[..., Proof]) -> None:
    proof = prove(COUNTER, "subject.safe_up()", "subject.safe_up()")

    assert (proof.verdict, proof.executions) == (Verdict.SAFE, 1)
    assert proof.reason == "1 execution exhausted every interleaving of 1 scenario"


def test_state_that_differs_by_itself_is_masked_and_named(prove: Callable[..., Proof]) -> None:
    proof = prove(COUNTER, "subject.stamp()", "subject.safe_up()")

    assert proof.verdict is Verdict.SAFE
    assert proof.masked == ("state.token",)


def test_sleep_is_a_switch_and_takes_no_time(prove: Callable[..., Proof]) -> None:
    assert prove(COUNTER, "subject.doze()", "subject.doze()").verdict is Verdict.SAFE


@pytest.mark.parametrize(
    ("operation", "verdict", "reason"),
    [
        ("stuck", Verdict.INCONCLUSIVE, "the operations wait for ever in every serial order"),
        ("leave", Verdict.INCONCLUSIVE, "an operation ends the program: SystemExit: 3"),
        ("fail", Verdict.INCONCLUSIVE, "subject.fail() raises ValueError: always, whatever the order"),
        ("opaque", Verdict.SAMPLED, "uses a shared dict and cannot be looked into"),
        ("timed", Verdict.SAMPLED, "if a timeout or a timer comes early"),
    ],
)
def test_what_was_not_seen_weakens_the_verdict(
    prove: Callable[..., Proof], operation: str, verdict: Verdict, reason: str
) -> None:
    proof = prove(COUNTER, f"subject.{operation}()", f"subject.{operation}()", prefix=())

    assert proof.verdict is verdict
    assert reason in proof.reason


def test_operation_that_never_ends_is_named(prove: Callable[..., Proof], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("racehound.engine.execution.STEP_LIMIT", 200)

    assert (
        "steps even one after the other: they may never end, or need shorter loops to be raced"
        in prove(COUNTER, "subject.spin()", "subject.up()").reason
    )


def test_choice_of_the_programs_own_is_not_called_a_race(prove: Callable[..., Proof]) -> None:
    verdicts = {prove(COUNTER, "subject.coin()", "subject.coin()").verdict for _ in range(5)}

    assert Verdict.SAFE not in verdicts


def test_setup_that_fails_is_the_reason(prove: Callable[..., Proof]) -> None:
    proof = prove(COUNTER, "subject.up()", "subject.up()", setup="Thing(1, 2, 3)")

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert "Thing(1, 2, 3) raises TypeError" in proof.reason


def test_budget_is_named_when_it_ends_the_search(prove: Callable[..., Proof]) -> None:
    proof = prove(COUNTER, "subject.up()", "subject.up()", seconds=0)

    assert proof.verdict is Verdict.INCONCLUSIVE


def test_deadlock_is_a_failure_of_its_own(prove: Callable[..., Proof]) -> None:
    proof = prove(
        """
        import threading

        class Thing:
            def __init__(self):
                self.a, self.b = threading.Lock(), threading.Lock()

            def ab(self):
                with self.a, self.b:
                    pass

            def ba(self):
                with self.b, self.a:
                    pass
        """,
        "subject.ab()",
        "subject.ba()",
    )

    assert (proof.verdict, proof.oracle, proof.outcome) == (Verdict.RACE, "deadlock", None)
    assert [(step.task, step.operation, step.target, step.value) for step in proof.timeline] == [
        (0, "acquire", "self.a", ""),
        (1, "acquire", "self.b", ""),
        (0, "acquire", "self.b", "waits for ever"),
        (1, "acquire", "self.a", "waits for ever"),
    ]


def test_waiting_that_serial_orders_know_is_no_deadlock(prove: Callable[..., Proof]) -> None:
    proof = prove(
        """
        import threading

        class Thing:
            def __init__(self):
                self.ready = threading.Condition()
                self.items = []

            def put(self):
                with self.ready:
                    self.items.append(1)
                    self.ready.notify()

            def get(self):
                with self.ready:
                    while not self.items:
                        self.ready.wait()
                    return self.items.pop()
        """,
        "subject.get()",
        "subject.put()",
    )

    assert proof.verdict is Verdict.SAFE


LOST_WAKE_UP = """
    import threading

    class Thing:
        def __init__(self):
            self.ready = threading.Condition()
            self.items = []

        def put(self):
            with self.ready:
                self.items.append(1)
                self.ready.notify()

        def get(self):
            if not self.items:
                with self.ready:
                    self.ready.wait()
            return self.items.pop()
"""


def test_lost_wake_up_is_told_from_waiting_that_serial_orders_know(prove: Callable[..., Proof]) -> None:
    lost = prove(LOST_WAKE_UP, "subject.get()", "subject.put()")
    both_wait = prove(LOST_WAKE_UP, "subject.get()", "subject.get()", prefix=("subject.put()",))

    assert (lost.verdict, lost.oracle) == (Verdict.RACE, "lost wake-up")
    assert lost.reason == "a task waits for a condition that nobody will notify, which no serial order does"
    assert both_wait.oracle not in {"deadlock", "lost wake-up"}


def test_exception_that_no_serial_order_raises_is_named(prove: Callable[..., Proof]) -> None:
    proof = prove(
        """
        class Thing:
            def __init__(self):
                self.d = {"a": 1}

            def take(self):
                if "a" in self.d:
                    del self.d["a"]
        """,
        "subject.take()",
        "subject.take()",
    )

    assert (proof.oracle, proof.reason) == ("exception", "KeyError: 'a' is raised, which no serial order does")


def test_tasks_of_two_operations_have_all_their_serial_orders(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    text = ScenarioText(setup="Thing()", prefix=(), tasks=(("subject.safe_up()",) * 2, ("subject.safe_up()",)))
    proof = prover.prove([text], seconds=10, relevant=lambda _: True)
    prover.close()

    assert proof.verdict is Verdict.SAFE
    assert len(proof.serial) == 3


def test_schedule_of_a_token_is_run_again(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    text = ScenarioText(setup="Thing()", prefix=(), tasks=(("subject.up()",), ("subject.up()",)))
    proof = prover.prove([text], seconds=10, relevant=lambda _: True)
    assert proof.token is not None
    steps = decode_token(proof.token)["schedule"]
    assert isinstance(steps, dict)

    again = prover.replay(text, Schedule.from_json(steps))
    fixed = prover.replay(
        ScenarioText(setup="Thing()", prefix=(), tasks=(("subject.n",), ("subject.n",))), Schedule(())
    )
    prover.close()

    assert again.timeline == proof.timeline
    assert (fixed.verdict, fixed.reason) == (
        Verdict.SAMPLED,
        "this schedule does not fail on the code as it is now",
    )


def test_race_beside_the_point_is_taken_when_there_is_no_better(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    texts = [
        ScenarioText(setup="Thing()", prefix=(), tasks=((f"subject.{name}()",), (f"subject.{name}()",)))
        for name in ("up", "safe_up")
    ]

    proof = prover.prove(texts, seconds=10, relevant=lambda _: False)
    prover.close()

    assert (proof.verdict, proof.executions) == (Verdict.RACE, 3)


VALUES = """
    class Base:
        shared = 0

    class Thing(Base):
        __slots__ = ("slot",)

        def __init__(self):
            self.slot = 0
            self.items = [1]

        def bump_slot(self):
            self.slot += 1

        def bump_class(self):
            type(self).shared += 1

        def bump_through_instance(self):
            self.late = getattr(self, "late", 0) + 1

        def shrink(self):
            if self.items:
                self.items.pop()
"""


@pytest.mark.parametrize(
    ("operation", "steps"),
    [
        ("bump_slot", [("read", "0"), ("read", "0"), ("write", "1"), ("write", "1")]),
        ("bump_through_instance", [("read", "missing"), ("read", "missing"), ("write", "1"), ("write", "1")]),
        ("shrink", [("read", "[1]"), ("read", "[1]"), ("write", "[]"), ("write", "[]")]),
    ],
)
def test_values_are_shown_wherever_they_are_kept(
    prove: Callable[..., Proof], operation: str, steps: list[tuple[str, str]]
) -> None:
    proof = prove(VALUES, f"subject.{operation}()", f"subject.{operation}()")

    assert proof.verdict is Verdict.RACE
    assert [(step.operation, step.value) for step in proof.timeline] == steps


def test_obstacle_in_one_scenario_weakens_the_verdict_on_the_others(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    texts = [
        ScenarioText(setup=setup, prefix=(), tasks=(("subject.safe_up()",), ("subject.safe_up()",)))
        for setup in ("Thing()", "Thing(1)")
    ]

    proof = prover.prove(texts, seconds=10, relevant=lambda _: True)
    prover.close()

    assert proof.verdict is Verdict.SAMPLED
    assert "not all could be run: Thing(1) raises TypeError" in proof.reason


def test_task_ends_with_the_operation_that_raises(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    text = ScenarioText(
        setup="Thing()", prefix=(), tasks=(("subject.fail()", "subject.up()"), ("subject.safe_up()",))
    )

    proof = prover.prove([text], seconds=10, relevant=lambda _: True)
    prover.close()

    assert proof.verdict is Verdict.SAFE
    assert all("n=1" in outcome.state for outcome in proof.serial)


def test_state_hidden_in_a_default_argument_is_raced(prove: Callable[..., Proof]) -> None:
    source = """
        class Thing:
            def up(self, total=[0]):
                total[0] += 1
                return total[0]
    """

    assert prove(source, "subject.up()", "subject.up()").verdict is Verdict.RACE


def test_thread_local_state_is_no_race(prove: Callable[..., Proof]) -> None:
    source = """
        import threading

        class Thing:
            def __init__(self):
                self.own = threading.local()

            def up(self):
                self.own.n = getattr(self.own, "n", 0) + 1
                return self.own.n

            def me(self):
                return threading.get_ident() == threading.get_ident()
    """

    assert prove(source, "subject.up()", "subject.up()").verdict is not Verdict.RACE
    assert prove(source, "subject.me()", "subject.me()").verdict is not Verdict.RACE


def test_prefix_that_waits_for_ever_is_skipped_and_a_constructor_that_does_is_named(load: Load) -> None:
    module = load(COUNTER)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={})
    raced = (("subject.safe_up()",), ("subject.safe_up()",))
    fine = ScenarioText(setup="Thing()", prefix=(), tasks=raced)
    waiting = ScenarioText(setup="Thing()", prefix=("subject.stuck()",), tasks=raced)
    failing = ScenarioText(setup="Thing()", prefix=("subject.fail()",), tasks=raced)
    hopeless = ScenarioText(setup="Thing().stuck()", prefix=(), tasks=raced)

    skipped = prover.prove([fine, waiting, failing], seconds=10)
    named = prover.prove([hopeless], seconds=10)
    prover.close()

    assert skipped.verdict is Verdict.SAFE
    assert (named.verdict, named.reason) == (Verdict.INCONCLUSIVE, "Thing().stuck() waits for ever")


def test_state_too_large_to_compare_weakens_the_verdict(
    prove: Callable[..., Proof], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("racehound.scenario.snapshot.LEAF_LIMIT", 3)

    proof = prove(COUNTER, "subject.safe_up()", "subject.safe_up()")

    assert proof.verdict is Verdict.SAMPLED
    assert "the state is too large to be compared as a whole" in proof.reason


NUMBERS = """
    TOTAL = 0

    class Thing:
        def __init__(self, callback=None):
            self.items = []
            self.callback = callback

        def ask(self, function):
            return function()

    def set_total(value):
        global TOTAL
        TOTAL = value
"""


def test_expressions_publish_what_they_do_themselves(prove: Callable[..., Proof]) -> None:
    proof = prove(NUMBERS, *["subject.items.append(len(subject.items))"] * 2)

    assert proof.verdict is Verdict.RACE
    assert {step.path for step in proof.timeline} == {"<scenario>"}


def test_variable_of_the_module_is_read_when_the_expression_runs(prove: Callable[..., Proof]) -> None:
    assert prove(NUMBERS, *["set_total(TOTAL + 1)"] * 2, setup="None").verdict is Verdict.RACE


def test_function_that_an_expression_makes_is_looked_into(prove: Callable[..., Proof]) -> None:
    call = "subject.ask((lambda: None))"

    assert prove(NUMBERS, call, call).verdict is Verdict.SAFE


def test_scenario_that_takes_its_time_does_not_keep_the_others_from_theirs(load: Load) -> None:
    module = load("""
        import threading

        class Thing:
            def __init__(self):
                self.lock = threading.Lock()
                self.n = 0

            def long(self):
                for _ in range(30):
                    with self.lock:
                        self.n += 1

            def up(self):
                self.n += 1
        """)
    prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
    long, short = (
        ScenarioText(setup="Thing()", prefix=(), tasks=((call,), (call,)))
        for call in ("subject.long()", "subject.up()")
    )
    try:
        assert prover.prove([long, short], seconds=5).verdict is Verdict.RACE
        assert prover.prove([long], seconds=0.6).verdict is Verdict.SAMPLED
    finally:
        prover.close()


WRITERS_FIRST = """
    import threading

    class Thing:
        def __init__(self):
            self.changed = threading.Condition()
            self.readers = 0
            self.writers = 0

        def read(self):
            with self.changed:
                while self.writers:
                    self.changed.wait()
                self.readers += 1

        def write(self):
            with self.changed:
                self.writers += 1
                while self.readers:
                    self.changed.wait()

        def let_go(self):
            with self.changed:
                self.readers -= 1
"""


def test_reader_that_waits_for_a_writer_who_could_never_get_in_is_no_lost_wake_up(
    prove: Callable[..., Proof],
) -> None:
    proof = prove(WRITERS_FIRST, "subject.read()", "subject.write()", prefix=("subject.read()",))

    assert proof.verdict is not Verdict.RACE


def test_writer_that_is_not_told_of_the_last_reader_misses_its_wake_up(prove: Callable[..., Proof]) -> None:
    proof = prove(WRITERS_FIRST, "subject.let_go()", "subject.write()", prefix=("subject.read()",))

    assert (proof.verdict, proof.oracle) == (Verdict.RACE, "lost wake-up")


def test_attributes_of_a_class_that_is_a_dictionary_are_shown_with_their_values(
    prove: Callable[..., Proof],
) -> None:
    source = """
        class Thing(dict):
            misses = 0

            def miss(self):
                self.misses += 1
    """

    proof = prove(source, "subject.miss()", "subject.miss()")

    assert [step.value for step in proof.timeline] == ["0", "0", "1", "1"]
    assert proof.outcome is not None
    assert "misses=1" in proof.outcome.state


TRANSACTIONS = """
    import threading

    class Table:
        def __init__(self):
            self.lock = threading.Lock()
            self.rows = 0
            self.copy = 0
            self.opened = 0

        def __enter__(self):
            with self.lock:
                self.copy = self.rows
            return self

        def __exit__(self, *_):
            with self.lock:
                self.rows = self.copy + 1

        def count(self):
            with self.lock:
                self.opened += 1

    class Thing(Table):
        pass
"""


def test_block_that_leaves_no_trace_beside_another_keeps_a_search_from_being_called_safe(
    prove: Callable[..., Proof],
) -> None:
    block = BLOCK.format("subject")

    lost = prove(TRANSACTIONS, block, block, prefix=())
    kept = prove(TRANSACTIONS, block, "subject.count()", prefix=())

    assert lost.verdict is Verdict.SAMPLED
    assert NO_TRACE in lost.reason
    assert kept.verdict is Verdict.SAFE


SPARSE = """
    class Thing:
        def __init__(self):
            self.values = {}

        def __getattr__(self, name):
            raise AttributeError(name)

        def put(self):
            self.values["a"] = 1
"""


def test_class_that_has_not_every_attribute_can_be_safe(prove: Callable[..., Proof]) -> None:
    assert prove(SPARSE, "subject.anything", "subject.put()", prefix=()).verdict is Verdict.SAFE


SERVED = """
    import threading

    class Thing:
        def __init__(self):
            self.stopped = threading.Event()
            threading.Thread(target=self.stopped.wait).start()

        def stop(self):
            self.stopped.set()
"""


def test_thread_that_a_constructor_starts_waits_for_the_operations(prove: Callable[..., Proof]) -> None:
    assert prove(SERVED, "subject.stop()", "subject.stop()", prefix=()).verdict is Verdict.SAFE
