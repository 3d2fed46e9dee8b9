"""Nothing that touches shared state goes unseen, or else the verdict is weakened."""

import configparser
import sys

import pytest

from drivers.effects import LOOKED_AT, PUBLISHED, WEAKENED
from drivers.published import publish
from racehound.instrument.parts import referents


@pytest.mark.parametrize("name", PUBLISHED)
def test_operation_is_published(name: str) -> None:
    setup, body, steps = PUBLISHED[name]

    published = publish(setup, body)

    assert published.steps == steps
    assert not published.caveats


@pytest.mark.parametrize("name", PUBLISHED)
def test_operation_that_is_published_does_not_weaken_the_verdict(name: str) -> None:
    setup, body, _ = PUBLISHED[name]

    assert not publish(setup, body, tasks=2).caveats


@pytest.mark.parametrize("name", WEAKENED)
def test_operation_that_cannot_be_published_weakens_the_verdict(name: str) -> None:
    setup, body, caveats = WEAKENED[name]

    assert sorted(publish(setup, body, tasks=2).caveats) == caveats


@pytest.mark.parametrize("name", LOOKED_AT)
def test_looking_unseen_at_what_nobody_changes_does_not_weaken_the_verdict(name: str) -> None:
    setup, body = LOOKED_AT[name]

    assert not publish(setup, body, tasks=2).caveats


def test_cached_property_is_filled_under_its_lock_before_3_12() -> None:
    setup = "class C:\n    @functools.cached_property\n    def v(self): return 1\n---\nc=C()"

    published = publish(setup, "return s.c.v, s.c.v")

    filling = ["write W c.v"]
    if sys.version_info < (3, 12):
        filling = ["acquire W ?.WHOLE", *filling, "release W ?.WHOLE"]
    assert published.steps == ["read R s.c", "read R c.v", *filling, "read R s.c", "read R c.v"]
    assert published.result == (1, 1)


MADE_EARLY = """
import _thread
def early():
    event = threading.Event()
    event._cond = threading.Condition(_thread.allocate_lock())
    return event
---
e=early()"""


def test_event_made_too_early_is_under_control_all_the_same() -> None:
    published = publish(MADE_EARLY, "s.e.set()\nreturn s.e.wait()")

    assert published.result is True


def test_waiting_object_made_too_early_is_not_entered_either() -> None:
    condition = MADE_EARLY.replace("return event", "return event._cond")

    with pytest.raises(AssertionError, match="a Condition that was made before the observation began"):
        publish(condition, "with s.e: pass")


def test_what_a_task_leaves_behind_works_outside_the_execution() -> None:
    published = publish(
        "l=[]", "return map(s.l.append, [1]), map(sum, [[1, 2]]), iter(s.l), map(getattr, [s], ['l'])"
    )

    assert isinstance(published.result, tuple)
    assert [list(walk) for walk in published.result] == [[None], [3], [1], [[1]]]


def test_what_a_foreign_object_refers_to_does_not_depend_on_who_has_looked_at_it_before() -> None:
    interpolation = configparser.BasicInterpolation()
    before = [type(item) for item in referents(interpolation)]

    assert vars(interpolation) == {}
    assert [type(item) for item in referents(interpolation)] == before
