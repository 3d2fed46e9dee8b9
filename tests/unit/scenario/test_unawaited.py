import asyncio

from racehound import explore
from racehound.scenario.parts import UNAWAITED


class Current:
    def __init__(self) -> None:
        self.value = 0

    async def is_kept(self, value: int) -> bool:
        self.value = value
        await asyncio.sleep(0)
        return self.value == value


def test_coroutine_that_nobody_awaits_is_not_called_safe() -> None:
    workers = [lambda current: current.is_kept(1), lambda current: current.is_kept(2)]

    result = explore(setup=Current, workers=workers)

    assert result.verdict == "sampled"
    assert UNAWAITED in result.proof.reason
