"""How a scenario makes its subject."""

import asyncio
from collections.abc import Generator

from racehound.model.proof import ScenarioText
from racehound.scenario.plan import plan_of


class Countdown:
    """An event that can be awaited itself, and needs a loop to be made."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.steps = 0

    def __await__(self) -> Generator[None, None, bool]:
        yield
        return True

    async def step(self) -> None:
        self.steps += 1


async def made_later() -> Countdown:
    return Countdown()


def made(setup: str) -> object:
    text = ScenarioText(setup=setup, prefix=("await subject.step()",), tasks=(), on_loop=True)
    make = plan_of(text, globals()).make_on_loop
    assert make is not None
    return asyncio.run(make())


def test_subject_that_can_be_awaited_is_left_alone() -> None:
    subject = made("Countdown()")

    assert isinstance(subject, Countdown)
    assert subject.steps == 1


def test_subject_that_a_coroutine_makes_is_awaited() -> None:
    assert isinstance(made("await made_later()"), Countdown)
    assert isinstance(made("made_later()"), Countdown)
