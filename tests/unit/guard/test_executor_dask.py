"""The executor on a real local cluster of dask.distributed."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.executor_driver import PATIENCE, Strategies, fail, process_number, statuses, until, wait_for_file
from racehound.guard import CircuitBreaker, ParallelStrategyExecutor
from racehound.guard.executor import Mode

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed (extra `cluster`)")

ROOT = Path(__file__).resolve().parents[3]

# A cluster is several interpreters with large libraries, and takes its time on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(180), pytest.mark.usefixtures("uncollected")]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    # With None dask would listen on its usual port, which the cluster of another test run may have.
    options = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "examples")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", path)
        patch.syspath_prepend(str(ROOT / "examples"))
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as made:
            yield made


def test_strategies_run_on_the_cluster_and_breakers_stay_here(client: Any) -> None:
    breaker = CircuitBreaker(failure_threshold=2)
    pool = client.get_executor(pure=False)
    strategies: Strategies = {"where": process_number, "bad": fail}
    with ParallelStrategyExecutor(strategies, breaker=breaker, executor=pool) as executor:
        rounds = [executor.run(4, timeout=PATIENCE) for _ in range(3)]

    assert [statuses(outcomes)["bad"] for outcomes in rounds] == ["failed", "failed", "skipped"]
    assert isinstance(rounds[0]["bad"].error, ValueError)
    assert os.getpid() not in {outcomes["where"].value for outcomes in rounds}


def test_a_hang_on_the_cluster_is_given_up_and_frees_its_place(client: Any, tmp_path: Path) -> None:
    release = tmp_path / "release"
    pool = client.get_executor(pure=False)
    with ParallelStrategyExecutor({"hang": wait_for_file}, max_workers=1, executor=pool) as executor:
        assert statuses(executor.run(str(release), timeout=0.3)) == {"hang": "timed_out"}
        until(lambda: not executor.stragglers())
        assert statuses(executor.run(str(tmp_path), timeout=PATIENCE)) == {"hang": "ok"}
        release.touch()


def test_the_first_success_on_the_cluster_decides(client: Any, tmp_path: Path) -> None:
    release = tmp_path / "release"
    pool = client.get_executor(pure=False)
    strategies: Strategies = {"hang": wait_for_file, "where": str}
    with ParallelStrategyExecutor(strategies, executor=pool, mode=Mode.FIRST_SUCCESS) as executor:
        outcomes = executor.run(str(release), timeout=PATIENCE)
        release.touch()

    assert statuses(outcomes) == {"hang": "cancelled", "where": "ok"}


def test_the_example_counts_primes_and_stops_asking_the_table(client: Any) -> None:
    import dask_strategies  # type: ignore[import-not-found]  # noqa: PLC0415 - on the path for this test alone

    rounds = dask_strategies.count_primes(client, limit=200, rounds=3)

    assert [(outcomes["exhaustive"].value, outcomes["sieve"].value) for outcomes in rounds] == [(46, 46)] * 3
    assert [statuses(outcomes)["table"] for outcomes in rounds] == ["failed", "failed", "skipped"]
    assert "dask_strategies" in sys.modules
