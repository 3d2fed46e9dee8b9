import os
import threading
from collections.abc import Iterator

import pytest

from racehound.engine import one_core
from racehound.engine.carrier import CarrierPool
from racehound.engine.determinism import InOrder
from racehound.engine.explorer import Explorer
from racehound.engine.one_core import OneCore

pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="the system places threads as it likes")


@pytest.fixture
def pool() -> Iterator[CarrierPool]:
    pool = CarrierPool()
    yield pool
    pool.close()


@pytest.fixture
def core(pool: CarrierPool) -> OneCore:
    return OneCore(pool)


def where() -> tuple[set[int], int]:
    return os.sched_getaffinity(0), os.sched_getscheduler(0)


def test_tasks_and_the_caller_share_a_core_for_as_long_as_it_takes(explorer: Explorer) -> None:
    before, seen = where(), []

    def prepare() -> list[object]:
        seen.append(where())
        return [lambda: seen.append(where())] * 2

    explorer.run(prepare, InOrder())  # type: ignore[arg-type]  # what they return does not matter

    ((core,), policy), *others = seen
    assert policy == os.SCHED_BATCH
    assert others == [({core}, policy)] * 2
    assert where() == before


def test_the_core_is_chosen_anew_after_a_while(core: OneCore, monkeypatch: pytest.MonkeyPatch) -> None:
    cores = sorted(os.sched_getaffinity(0))
    first, last = cores[0], cores[-1]
    monkeypatch.setattr(one_core, "_core_of_this_thread", iter([first, last]).__next__)
    monkeypatch.setattr(one_core, "STAY", -1.0)

    with core.kept():
        assert os.sched_getaffinity(0) == {first}
        core.look_around()
        assert sorted(os.sched_getaffinity(0)) == cores
        core.look_around()
        assert os.sched_getaffinity(0) == {last}


def test_the_core_stays_the_same_for_a_while(core: OneCore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_core, "STAY", 1_000.0)
    kept = []

    for _ in range(2):
        with core.kept():
            core.look_around()
            kept.append(os.sched_getaffinity(0))
        monkeypatch.setattr(one_core, "_core_of_this_thread", lambda: pytest.fail("chosen anew"))

    assert kept[0] == kept[1]


def test_carriers_move_with_the_caller(pool: CarrierPool, core: OneCore) -> None:
    carrier = pool.get(0)
    begun = threading.Event()
    carrier.assign(begun.set)
    carrier.baton.go()
    begun.wait()

    with core.kept():
        assert os.sched_getaffinity(carrier.native_id) == os.sched_getaffinity(0)


@pytest.mark.parametrize("refused", ["_set_cores", "_set_policy", "_read"])
def test_a_system_that_refuses_is_left_alone(core: OneCore, monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("not here")

    before = where()
    monkeypatch.setattr(one_core, "STAY", -1.0)
    with core.kept(), monkeypatch.context() as context:
        context.setattr(one_core, refused, refuse)
        core.look_around()
        core.look_around()
    with monkeypatch.context() as context:
        context.setattr(one_core, refused, refuse)
        with core.kept():
            core.look_around()

    assert where() == before


def test_a_thread_that_somebody_has_other_plans_for_is_left_alone(
    core: OneCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_core, "_get_policy", lambda _: os.SCHED_IDLE)
    before = where()

    with core.kept():
        core.look_around()
        assert where() == before
