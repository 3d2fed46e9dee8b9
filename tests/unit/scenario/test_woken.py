"""To be woken while one waits with a timeout is what the wait is for, and no race."""

import threading
import time

from racehound import explore
from racehound.scenario.judge import CROWD


class Bell:
    """Remembers nothing: who does not wait when it rings misses it."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.heard = 0

    def wait(self) -> bool:
        with self._condition:
            return self._condition.wait(1)

    def ring(self) -> None:
        with self._condition:
            self._condition.notify_all()

    def count(self) -> None:
        before = self.heard
        with self._condition:
            self._condition.wait(1)
        self.heard = before + 1

    def doze(self) -> bool:
        before = self.heard
        time.sleep(1)
        heard = self.wait()
        self.heard = before + 1
        return heard


def test_wait_that_is_woken_is_serial() -> None:
    explore(setup=Bell, workers=[Bell.wait, Bell.ring]).assert_safe()


def test_two_that_are_woken_at_once_are_told_and_not_accused() -> None:
    result = explore(setup=Bell, workers=[Bell.wait, Bell.wait, Bell.ring])

    assert result.verdict == "sampled"
    assert CROWD in result.proof.reason


def test_what_is_lost_while_two_wait_is_a_race() -> None:
    assert explore(setup=Bell, workers=[Bell.count, Bell.count]).verdict == "race"


def test_what_is_lost_while_one_sleeps_is_a_race() -> None:
    assert explore(setup=Bell, workers=[Bell.doze, Bell.doze]).verdict == "race"
