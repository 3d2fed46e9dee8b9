"""What a command leaves behind lives on in every schedule, and in the orders that schedules are compared with."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from racehound.audit.plan import schedules_in
from racehound.audit.preparing import prepared
from racehound.audit.request import AuditRequest
from racehound.audit.search import Search, Tally
from racehound.audit.stage import recorded
from racehound.audit.template import pair_of
from racehound.audit.tokens import Recipe

LOCKED = "exec 9> l; flock -n 9 || exit 0; (sleep 1000) >&- 2>&- & echo up >> started"
NOTED = (
    "if [ -f pid ] && kill -0 $(cat pid); then exit 0; fi; "
    "(sleep 1000) 9>&- >&- 2>&- & echo $! > pid; echo up >> started"
)
"""Starts something unless it runs, as its process id says; the second one may look before the first one tells."""


@contextmanager
def searching(command: str) -> Iterator[Search]:
    pair = pair_of(command, command)
    with prepared(pair, AuditRequest(pairs=(pair,))) as bare:
        recipe = Recipe(first=pair.first, second=pair.second, setup=(), view=None)
        yield Search(pair.name, *recorded(bare), recipe, Tally())


def started(search: Search) -> list[str | None]:
    """How often something was started: with the first one alive, and with it ended before the second one began."""
    orders = (search.serial.forward.ending, search.serial.forward.bereft)
    return [order.entries.get("work/started: line 'up'") for order in orders]


@pytest.mark.slow
def test_who_finds_a_living_one_starts_none_and_loses_nothing() -> None:
    with searching(LOCKED) as search:
        for schedule in schedules_in(search.serial, locks=search.stage.locks):
            search.attempt(schedule)

    assert started(search) == ["1", "2"]
    assert search.tally.schedules > 0
    assert (search.tally.violations, search.tally.unconfirmed) == ([], [])


@pytest.mark.slow
def test_two_that_both_start_one_are_found_on_the_first_schedule() -> None:
    with searching(NOTED) as search:
        search.attempt(schedules_in(search.serial, locks=search.stage.locks)[0])

    assert started(search) == ["1", "2"]
    assert [violation.schedule for violation in search.tally.violations] == [1]
