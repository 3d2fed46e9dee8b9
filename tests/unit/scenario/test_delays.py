"""What an operation sees that runs at the end of another one's wait for a time."""

import asyncio
import time

import pytest

from racehound import explore


class Limiter:
    """Lets one pass every ten seconds."""

    def __init__(self) -> None:
        self.next = time.monotonic() + 10.0

    def is_free(self) -> bool:
        return time.monotonic() >= self.next

    async def is_free_now(self) -> bool:
        return self.is_free()

    def pass_through(self) -> None:
        while (left := self.next - time.monotonic()) > 0:
            time.sleep(left)
        self.next = time.monotonic() + 10.0

    async def pass_on_loop(self) -> None:
        while (left := self.next - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110 - it waits for a time
            await asyncio.sleep(left)
        self.next = asyncio.get_running_loop().time() + 10.0


class Hasty(Limiter):
    """Looks once, so that all pass who have waited."""

    def pass_through(self) -> None:
        time.sleep(max(self.next - time.monotonic(), 0))
        self.next = time.monotonic() + 10.0


def test_serial_orders_may_take_their_time() -> None:
    result = explore(setup=Limiter, workers=[Limiter.is_free, Limiter.pass_through])

    assert result.verdict == "safe"


@pytest.mark.slow
def test_serial_orders_may_take_their_time_on_an_event_loop() -> None:
    result = explore(setup=Limiter, workers=[Limiter.is_free_now, Limiter.pass_on_loop], budget=3)

    assert result.verdict in {"safe", "sampled"}


def test_two_that_pass_at_once_do_so_in_no_order_however_late() -> None:
    result = explore(setup=Hasty, workers=[Limiter.pass_through, Hasty.pass_through])

    assert result.verdict == "race"
