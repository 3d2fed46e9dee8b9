"""One search on behalf of a test: the schedule that failed last time first, then all the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from racehound.errors import RacehoundError
from racehound.model.proof import Verdict
from racehound.pipeline.explore import Exploration, explore
from racehound.pytest_plugin import EXECUTIONS, REASON, TOKEN, VERDICT
from racehound.pytest_plugin.memory import Memory
from racehound.pytest_plugin.settings import Settings, settings_of

CUT_SHORT = (Verdict.SAMPLED, Verdict.BOUNDED)


@dataclass(frozen=True, slots=True)
class Race:
    """What is raced, as `explore` takes it."""

    setup: Callable[[], object]
    workers: Sequence[Callable[..., object]]
    invariant: Callable[..., object] | None


def settled(item: pytest.Item, **given: object) -> Settings:
    """The settings of a test, which fails where they make no sense."""
    try:
        return settings_of(item, **given)
    except RacehoundError as error:
        complaint = f"racehound: {error}"
    pytest.fail(complaint, pytrace=False)


def search(race: Race, settings: Settings, memory: Memory) -> Exploration:
    """The exploration; a failing schedule is kept for the next run."""
    found = _replayed(race, settings.replay or memory.recall())
    if found is None or (found.proof.verdict is not Verdict.RACE and settings.replay is None):
        found = _explored(race, settings)
    if found.token is not None and settings.replay is None:
        memory.keep(found.token)
    return found


def _replayed(race: Race, token: str | None) -> Exploration | None:
    if token is None:
        return None
    return explore(setup=race.setup, workers=race.workers, invariant=race.invariant, replay=token)


def _explored(race: Race, settings: Settings) -> Exploration:
    return explore(
        setup=race.setup,
        workers=race.workers,
        invariant=race.invariant,
        budget=settings.budget,
        strategy=settings.choice.name,
        seed=settings.choice.seed,
    )


def note(item: pytest.Item, found: Exploration) -> None:
    """For reports: the last search of a test is the one that decided."""
    ours = (VERDICT, EXECUTIONS, REASON, TOKEN)
    item.user_properties[:] = [pair for pair in item.user_properties if pair[0] not in ours]
    item.user_properties += [(VERDICT, found.verdict), (EXECUTIONS, found.executions)]
    if found.proof.verdict in CUT_SHORT:
        item.user_properties.append((REASON, found.proof.reason))
    if found.token is not None:
        item.user_properties.append((TOKEN, found.token))


def is_failure(found: Exploration, settings: Settings) -> bool:
    """A search that could decide nothing fails, too; a replay is about one schedule, and never exhausts."""
    verdict = found.proof.verdict
    strict = settings.strict and settings.replay is None
    return verdict in (Verdict.RACE, Verdict.INCONCLUSIVE) or (strict and verdict in CUT_SHORT)


def complaint(item: pytest.Item, found: Exploration) -> str:
    """The message of a failed test: what happened, the interleaving, and how to see it again."""
    lines = [found.describe(again=f'pytest "{item.nodeid}" --race-replay {found.token}')]
    if found.token is not None and found.executions == 1:
        lines.append("It failed in the first execution: it may fail without a race, too.")
    return "\n".join(lines)
