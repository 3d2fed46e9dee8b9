"""Rules run again only for the part of a program that has changed."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from racehound.analysis import islands
from racehound.analysis.survey import Survey
from racehound.model.finding import Confidence
from racehound.pipeline import analysing, reading
from racehound.pipeline.conclusions import Conclusion
from racehound.pipeline.factstore import FactStore
from racehound.pipeline.hunt import Answer, hunt
from racehound.rules.rule import Rule
from racehound.source.facts import ModuleFacts

LONG_AGO = time.time() - 3600
STORE = """import threading


class Store:
    def __init__(self):
        self._lock = threading.Lock()
        self.total = 0

    def add(self, value):
        with self._lock:
            self.total += value

    def drop(self):
        self.total -= 1
"""


@pytest.fixture(name="looked")
def _looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the modules that rules have looked at since the first hunt in two modules that are apart."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(islands, "ENOUGH", 0)
    for name in ("one.py", "two.py"):
        write(name, STORE)
    ask()
    seen: list[str] = []
    real = analysing._conclude

    def noting(survey: Survey, rules: Sequence[Rule], judging: analysing._Judging) -> Conclusion:
        seen.extend(module.path for module in survey.modules)
        return real(survey, rules, judging)

    monkeypatch.setattr(analysing, "_conclude", noting)
    return seen


def write(name: str, text: str, at: float = LONG_AGO) -> None:
    path = Path("pkg", name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))


def ask(cache: str | None = "cache") -> Answer:
    return hunt(["pkg"], confidence=Confidence.POSSIBLE, cache=cache)


def test_only_the_changed_part_is_looked_at(looked: list[str]) -> None:
    write("two.py", STORE.replace("drop", "take"), LONG_AGO + 5)

    answer = ask()

    assert looked == ["pkg/two.py"]
    assert answer == ask(None)
    assert {finding.location.path for finding in answer[0]} == {"pkg/one.py", "pkg/two.py"}


def test_part_that_is_joined_with_the_changed_one_is_looked_at(looked: list[str]) -> None:
    write("two.py", f"from pkg.one import Store as Other\n{STORE}", LONG_AGO + 5)

    answer = ask()

    assert looked == ["pkg/one.py", "pkg/two.py"]
    assert answer == ask(None)


def test_new_file_may_change_what_names_mean_everywhere(looked: list[str]) -> None:
    write("three.py", STORE)

    answer = ask()

    assert looked == ["pkg/one.py", "pkg/three.py", "pkg/two.py"]
    assert answer == ask(None)


def test_file_that_was_followed_and_has_changed_is_followed_anew(
    looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    start = "import threading\nfrom pkg import near\n\ndef main():\n    for _ in range(3):\n"
    write("start.py", f"{start}        threading.Thread(target=near.go).start()\n")
    write("near.py", "def go():\n    return 1\n")
    write("far.py", "total = 0\n\ndef go():\n    global total\n    total += 1\n")
    ask()
    write("near.py", "from pkg import far\n\ndef go():\n    far.go()\n", LONG_AGO + 5)

    answer = ask()

    assert "pkg/far.py" in looked
    assert answer == ask(None)
    assert "pkg/far.py" in {finding.location.path for finding in answer[0]}


@pytest.mark.parametrize("content", [b"", b"[]", b'{"x": 1}'])
def test_spoiled_conclusions_are_drawn_anew(looked: list[str], content: bytes) -> None:
    next(path for path in Path("cache").glob("*/*") if path.name.endswith(".islands")).write_bytes(content)
    write("two.py", STORE.replace("drop", "take"), LONG_AGO + 5)

    answer = ask()

    assert looked == ["pkg/one.py", "pkg/two.py"]
    assert answer == ask(None)


def test_names_that_were_asked_for_are_known_of_parts_that_were_not_looked_at_again(looked: list[str]) -> None:
    """Or else a function that another module asks for would be taken for one that nobody speaks of."""
    helper = "import threading\n\n\ndef shown(value):\n    return len(value)\n"
    write("helper.py", helper)
    write("user.py", "import threading\n\nfrom pkg.helper import shown\n\n\nasync def show():\n    shown([])\n")
    ask()
    write("two.py", STORE.replace("drop", "take"), LONG_AGO + 5)
    ask()
    looked.clear()
    write("helper.py", helper.replace("len(value)", "max(value)"), LONG_AGO + 6)

    ask()

    assert "pkg/user.py" in looked


@pytest.fixture(name="read_back")
def _read_back(looked: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the modules whose facts were read back, where not all files are parsed and both were."""
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    write("plain.py", "def double(number):\n    return 2 * number\n")
    ask()
    looked.clear()
    seen: list[str] = []
    real = FactStore._load

    def noting(store: FactStore, path: Path, module: ModuleFacts) -> None:
        seen.append(module.path)
        real(store, path, module)

    monkeypatch.setattr(FactStore, "_load", noting)
    return seen


def test_facts_of_a_part_that_has_not_changed_are_not_read_back(read_back: list[str], looked: list[str]) -> None:
    write("two.py", STORE.replace("drop", "take"), LONG_AGO + 5)

    answer = ask()

    assert (read_back, looked) == ([], ["pkg/two.py"])
    assert answer == ask(None)


def test_facts_of_a_part_that_has_grown_are_read_back(read_back: list[str]) -> None:
    write("two.py", f"from pkg.one import Store as Other\n{STORE}", LONG_AGO + 5)

    answer = ask()

    assert read_back == ["pkg/one.py"]
    assert answer == ask(None)


def test_file_that_changes_while_it_is_recalled_is_read_as_it_is(
    read_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found there is not kept: the next hunt looks again."""
    real = FactStore.recall

    def recall(store: FactStore, path: Path, name: str, *, is_wanted: bool) -> object:
        found = real(store, path, name, is_wanted=is_wanted)
        if path.name == "one.py":
            write("one.py", STORE.replace("drop", "other"), time.time())
        return found

    monkeypatch.setattr(FactStore, "recall", recall)
    write("two.py", f"from pkg.one import Store as Other\n{STORE}", LONG_AGO + 5)

    answer = ask()

    assert read_back == ["pkg/one.py"]
    assert answer == ask(None) == ask()


def test_file_that_is_gone_when_it_is_asked_for_has_nothing_in_it(
    read_back: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = FactStore.recall

    def recall(store: FactStore, path: Path, name: str, *, is_wanted: bool) -> object:
        found = real(store, path, name, is_wanted=is_wanted)
        if path.name == "one.py":
            path.unlink()
        return found

    monkeypatch.setattr(FactStore, "recall", recall)
    write("two.py", f"from pkg.one import Store as Other\n{STORE}", LONG_AGO + 5)

    findings, _, _ = ask()

    assert read_back == ["pkg/one.py"]
    assert {finding.location.path for finding in findings} == {"pkg/two.py"}
