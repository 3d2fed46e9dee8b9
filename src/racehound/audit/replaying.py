"""One schedule again, from its token."""

from dataclasses import dataclass

from racehound.audit.preparing import check_usable, prepared
from racehound.audit.request import AuditRequest
from racehound.audit.search import Search, Tally
from racehound.audit.stage import recorded
from racehound.audit.template import Pair
from racehound.audit.tokens import recipe_of
from racehound.errors import UsageError
from racehound.model.audit import Violation

ATTEMPTS = 3
"""A command that waits for a lock by its own clock may give up just before the lock is free, or just after."""


@dataclass(frozen=True, slots=True)
class Replayed:
    violation: Violation | None
    point: str
    refused: bool


def replay(token: str) -> Replayed:
    """Whether the schedule still breaks the commands as they are now."""
    recipe = recipe_of(token)
    if recipe.schedule is None:
        raise UsageError("this token does not name a schedule", hint="copy it whole, from rh1- to its end")
    pair = Pair(name="replay", first=recipe.first, second=recipe.second)
    request = AuditRequest(pairs=(pair,), setup=recipe.setup, view=recipe.view, directory=recipe.directory)
    with prepared(pair, request) as bare:
        stage, serial = recorded(bare)
        check_usable(serial, stage)
        tally = Tally()
        search = Search(pair.name, stage, serial, recipe, tally)
        while not tally.violations and tally.schedules < ATTEMPTS:
            search.attempt(recipe.schedule)
    violation = tally.violations[0] if tally.violations else None
    return Replayed(violation, str(recipe.schedule), bool(tally.refused))
