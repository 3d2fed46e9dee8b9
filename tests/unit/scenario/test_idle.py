"""What the background does after a while, it does between two operations only if the second one comes so late."""

import asyncio
import threading

import pytest

from racehound import explore


class AutoSave:
    """Saves two seconds after the last edit."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.saves = 0

    async def _save_later(self) -> None:
        await asyncio.sleep(2)
        self.saves += 1

    def _begin_anew(self) -> None:
        if self.task is not None:
            self.task.cancel()
        self.task = asyncio.create_task(self._save_later())

    async def edit(self) -> None:
        await asyncio.sleep(0)
        self._begin_anew()

    async def edit_in_two_steps(self) -> None:
        if self.task is not None:
            self.task.cancel()
        await asyncio.sleep(0)
        self.task = asyncio.create_task(self._save_later())

    async def edit_slowly(self) -> None:
        await asyncio.sleep(3)
        self._begin_anew()


class Alarm:
    """Rings ten seconds after the last call."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None
        self.rung = 0

    def _ring(self) -> None:
        with self.lock:
            self.rung += 1

    def _timer_of_ten(self) -> threading.Timer:
        return threading.Timer(10.0, self._ring)

    def put_off(self) -> None:
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
            self.timer = self._timer_of_ten()
            self.timer.start()

    def put_off_in_two_steps(self) -> None:
        with self.lock:
            earlier = self.timer
        if earlier is not None:
            earlier.cancel()
        later = self._timer_of_ten()
        later.start()
        with self.lock:
            self.timer = later


def test_two_saves_of_edits_at_once_are_those_of_no_order_however_far_apart() -> None:
    result = explore(setup=AutoSave, workers=[AutoSave.edit_in_two_steps] * 2, budget=60)

    assert result.verdict == "race"
    assert "between which time passes" in str(result.failure)


def test_edits_at_once_are_saved_as_one_after_the_other() -> None:
    assert explore(setup=AutoSave, workers=[AutoSave.edit, AutoSave.edit], budget=60).verdict == "safe"


@pytest.mark.slow
def test_edits_that_take_their_time_may_be_saved_in_between() -> None:
    workers = [AutoSave.edit_slowly, AutoSave.edit_slowly]

    assert explore(setup=AutoSave, workers=workers, budget=60).verdict == "safe"


@pytest.mark.slow
def test_two_alarms_of_calls_at_once_are_those_of_no_order() -> None:
    result = explore(setup=Alarm, workers=[Alarm.put_off_in_two_steps, Alarm.put_off_in_two_steps], budget=60)

    assert result.verdict == "race"


@pytest.mark.slow
def test_alarm_that_is_put_off_under_a_lock_rings_once() -> None:
    assert explore(setup=Alarm, workers=[Alarm.put_off, Alarm.put_off], budget=60).verdict == "safe"


class Ledger:
    """Nothing refers to its first task any more once there is a second one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.writer: asyncio.Task[None] | None = None

    async def _write(self, line: str) -> None:
        await asyncio.sleep(0)
        self.lines.append(line)

    async def write(self) -> None:
        if self.writer is None:
            await asyncio.sleep(0)
            self.writer = asyncio.create_task(self._write("line"))


def test_task_that_nothing_refers_to_may_go_on_as_well() -> None:
    result = explore(setup=Ledger, workers=[Ledger.write, Ledger.write])

    assert result.verdict == "race"
