import pickle

import pytest

from racehound.errors import ConfigError, HarnessError, InternalError, RacehoundError, ReplayDrift, UsageError

FOR_USERS = [RacehoundError, UsageError, ConfigError, HarnessError, ReplayDrift]


@pytest.mark.parametrize("kind", FOR_USERS)
def test_error_says_what_is_wrong_and_then_what_would_be_right(kind: type[RacehoundError]) -> None:
    assert str(kind("no such rule: RH999", hint="try RH102")) == "no such rule: RH999; try RH102"
    assert str(kind("no such rule: RH999")) == "no such rule: RH999"


@pytest.mark.parametrize("kind", FOR_USERS)
def test_error_survives_the_way_between_processes(kind: type[RacehoundError]) -> None:
    revived = pickle.loads(pickle.dumps(kind("message", hint="hint")))  # noqa: S301 - our own bytes

    assert (type(revived), revived.message, revived.hint) == (kind, "message", "hint")


def test_every_kind_has_a_code_of_its_own() -> None:
    assert len({kind.code for kind in FOR_USERS}) == len(FOR_USERS)


def test_a_defect_of_racehound_is_no_error_of_the_user() -> None:
    assert not issubclass(InternalError, RacehoundError)
