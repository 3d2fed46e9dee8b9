"""Keywords for the parallel strategy executor, on top of the driver that all its tests share."""

from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from robot.api.deco import keyword, library

from drivers.executor_driver import (
    PATIENCE,
    Gate,
    Outcomes,
    double,
    fail,
    pipeline_with_shared_breaker,
    pipelines,
    process_number,
    shared_failures,
    statuses,
    tally,
    until,
)
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Strategy


@library(scope="TEST", auto_keywords=False)
class ExecutorLibrary:
    def __init__(self) -> None:
        self._temporary = TemporaryDirectory()
        self._store = str(Path(self._temporary.name) / "breakers")
        self._gate = Gate()
        self._breaker = CircuitBreaker()
        self._executor: ParallelStrategyExecutor = ParallelStrategyExecutor({})
        self._pool: Executor | None = None
        self._rounds: list[Outcomes] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    @keyword
    def make_an_executor(self, workers: int, threshold: int) -> None:
        strategies = {"good": double, "bad": fail, "hang": Strategy(self._gate, timeout=0.05)}
        self._breaker = CircuitBreaker(failure_threshold=threshold, open_seconds=600.0)
        self._executor = ParallelStrategyExecutor(strategies, workers, breaker=self._breaker)

    @keyword
    def make_an_executor_on_processes(self, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        strategies = {"good": double, "bad": fail, "where": process_number}
        self._breaker = CircuitBreaker(failure_threshold=10**6)
        self._executor = ParallelStrategyExecutor(strategies, workers, breaker=self._breaker, executor=self._pool)

    @keyword
    def let_hanging_strategies_go(self) -> None:
        self._gate.open()

    @keyword
    def invoke_pipelines(self, callers: int, rounds: int) -> None:
        self._rounds = pipelines(self._executor, callers=callers, rounds=rounds)
        self._counts = tally(self._rounds)

    @keyword
    def invoke_pipelines_in_processes_that_share_a_breaker(self, processes: int, rounds: int) -> None:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            futures = [pool.submit(pipeline_with_shared_breaker, self._store, rounds) for _ in range(processes)]
            made = [outcomes for future in futures for outcomes in future.result(PATIENCE * 2)]
        self._counts = Counter(item for outcomes in made for item in outcomes.items())

    @keyword
    def count_should_be(self, strategy: str, status: str, expected: int) -> None:
        assert self._counts[strategy, status] == expected, self._counts

    @keyword
    def count_should_be_between(self, strategy: str, status: str, least: int, most: int) -> None:
        assert least <= self._counts[strategy, status] <= most, self._counts

    @keyword
    def counts_should_add_up_to(self, strategy: str, expected: int) -> None:
        assert sum(count for (name, _), count in self._counts.items() if name == strategy) == expected, (
            self._counts
        )

    @keyword
    def every_round_should_have_its_own_result(self) -> None:
        values = [outcomes["good"].value for outcomes in self._rounds]
        assert values == [2 * number for number in range(len(values))], values

    @keyword
    def every_round_should_be_in_order(self, *names: str) -> None:
        assert all(tuple(outcomes) == names for outcomes in self._rounds)

    @keyword
    def breaker_should_have_counted(self, strategy: str, expected: int) -> None:
        assert self._breaker.failures(strategy) == expected, self._breaker.failures(strategy)

    @keyword
    def breaker_should_have_counted_what_the_callers_saw(self, strategy: str) -> None:
        seen = self._counts[strategy, "failed"] + self._counts[strategy, "timed_out"]
        assert self._breaker.failures(strategy) == seen, (self._breaker.failures(strategy), self._counts)

    @keyword
    def shared_breaker_should_have_counted(self, strategy: str, expected: int) -> None:
        found = shared_failures(self._store, strategy)
        assert found == expected, found

    @keyword
    def circuit_should_be_open(self, strategy: str) -> None:
        assert self._breaker.is_open(strategy)

    @keyword
    def stragglers_should_be_reported(self, strategy: str) -> None:
        assert {found.strategy for found in self._executor.stragglers()} == {strategy}

    @keyword
    def no_stragglers_should_remain(self) -> None:
        until(lambda: not self._executor.stragglers())

    @keyword
    def a_further_round_should_give(self, **expected: str) -> None:
        found = statuses(self._executor.run(1, timeout=PATIENCE))
        assert found == expected, found

    @keyword
    def shut_down(self) -> None:
        self._gate.open()
        left = self._executor.shutdown(timeout=PATIENCE)
        if self._pool is not None:
            self._pool.shutdown()
        self._temporary.cleanup()
        assert left == (), left
