"""A schedule counts only if it fails again, and what differs from run to run is not taken for the failure."""

import itertools
import tempfile
import threading
import uuid
from pathlib import Path

import pytest

from racehound import explore
from racehound.scenario.confirm import VARIES


class Inbox:
    def __init__(self) -> None:
        self.letter = Path(tempfile.mkdtemp()) / "letter"
        self.letter.write_text("dear", encoding="utf-8")

    def take(self) -> None:
        if self.letter.exists():
            self.letter.unlink()


class Sessions:
    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.current = ""

    def session(self) -> None:
        if not self.current:
            self.current = uuid.uuid4().hex
            self.kept[self.current] = "open"


def test_race_on_a_file_is_proven_although_its_name_is_another_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tempfile.TemporaryDirectory() as place:  # by a short name, as values are cut
        monkeypatch.setattr(tempfile, "tempdir", place)
        result = explore(setup=Inbox, workers=[Inbox.take, Inbox.take])

    assert result.verdict == "race", result.describe()
    assert "FileNotFoundError" in str(result.failure)
    assert {step.value for step in result.timeline} == {VARIES}


def test_race_is_proven_although_values_and_keys_are_drawn() -> None:
    result = explore(
        setup=Sessions, workers=[Sessions.session, Sessions.session], invariant=lambda made: len(made.kept) == 1
    )

    assert result.verdict == "race", result.describe()
    assert (
        explore(
            setup=Sessions,
            workers=[Sessions.session, Sessions.session],
            invariant=lambda made: len(made.kept) == 1,
            replay=result.token,
        ).verdict
        == "race"
    )


def test_failure_that_does_not_come_every_time_is_no_race() -> None:
    asked = itertools.count()
    numbers = itertools.count()

    class Lottery:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.drawn = 0

        def draw(self) -> None:
            with self.lock:
                self.drawn = next(numbers)

    result = explore(setup=Lottery, workers=[Lottery.draw, Lottery.draw], invariant=lambda _: next(asked) % 7 == 6)

    assert result.verdict == "inconclusive", result.describe()
    assert "another result" in str(result.proof.reason)
