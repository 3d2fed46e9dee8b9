"""A circuit breaker that worker threads share without a lock.

`racehound hunt examples/circuit_breaker.py --prove --diff` finds the races in it, runs the interleavings that
break it, and proposes the lock that makes it right.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

Strategy = Callable[[str], str]


class CircuitBreaker:
    """Disables a strategy that failed too often in a row.

    Thread-safe: only the thread that owns the futures changes the state, so no two changes ever meet.
    """

    def __init__(self, failure_threshold: int = 3) -> None:
        self.failure_threshold = failure_threshold
        self._failures: dict[str, int] = {}
        self._disabled: set[str] = set()

    def record_success(self, name: str) -> None:
        """Start counting again: the strategy works."""
        self._failures[name] = 0
        self._disabled.discard(name)

    def record_failure(self, name: str) -> None:
        """Count a failure, and disable the strategy when it was one too many."""
        count = self._failures.get(name, 0) + 1
        self._failures[name] = count
        if count >= self.failure_threshold:
            self._disabled.add(name)

    def is_open(self, name: str) -> bool:
        """Say whether the strategy is disabled."""
        return name in self._disabled

    def reset(self, name: str) -> None:
        """Forget what is known about one strategy."""
        self._failures.pop(name, None)
        self._disabled.discard(name)

    def reset_all(self) -> None:
        """Forget what is known about every strategy."""
        self._failures.clear()
        self._disabled.clear()


class ParallelStrategyExecutor:
    """Asks several strategies at once and leaves out those that the breaker disabled.

    The breaker lives as long as the executor: all workers of all calls share it.
    """

    def __init__(self, strategies: Mapping[str, Strategy], max_workers: int = 4) -> None:
        self._strategies = dict(strategies)
        self._max_workers = max_workers
        self._breaker = CircuitBreaker()

    def run(self, question: str) -> dict[str, str]:
        """Answers by name of the strategy; one that failed or is disabled has none."""
        with ThreadPoolExecutor(max_workers=self._max_workers) as pool:
            futures = {name: pool.submit(self._ask, name, question) for name in self._strategies}
        answers = {name: future.result() for name, future in futures.items()}
        return {name: answer for name, answer in answers.items() if answer is not None}

    def _ask(self, name: str, question: str) -> str | None:
        if self._breaker.is_open(name):
            return None
        try:
            answer = self._strategies[name](question)
        except Exception:  # noqa: BLE001 - whatever a strategy raises counts as its failure
            self._breaker.record_failure(name)
            return None
        self._breaker.record_success(name)
        return answer


def main() -> None:
    def broken(question: str) -> str:
        raise ValueError(question)

    executor = ParallelStrategyExecutor({"shout": str.upper, "reverse": lambda text: text[::-1], "broken": broken})
    for _ in range(4):
        print(executor.run("hello"))


if __name__ == "__main__":
    main()
