"""The same question about the same files is answered from memory, and from nothing else."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline import analysing, cachedir, memory, parallel, reading, signatures
from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.hunt import Answer, hunt
from racehound.pipeline.memory import Memory
from racehound.pipeline.results import plain, result_of
from racehound.rules.registry import all_rules
from racehound.source.discover import Selection

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTER = """
import threading

class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self.value = 0

    def add(self):
        with self._lock:
            self.value += 1

    def drop(self):
        self.value -= 1
"""
PLAIN = "def double(number):\n    return 2 * number\n"
LONG_AGO = time.time() - 3600


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"counter": COUNTER, "plain": PLAIN}.items():
        write(tmp_path / "pkg" / f"{name}.py", text)
    return tmp_path / "pkg"


def write(path: Path, text: str, at: float = LONG_AGO) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many files each analysis was given."""
    seen: list[int] = []
    real: Callable[..., object] = analysing.analyse

    def counted(files: list[Path], *arguments: object, **words: object) -> object:
        seen.append(len(files))
        return real(files, *arguments, **words)

    monkeypatch.setattr(analysing, "analyse", counted)
    return seen


def ask(tree: Path, **words: object) -> Answer:
    return hunt([tree], cache=tree.parent / "cache", **words)  # type: ignore[arg-type]  # names its own options


def entry_of(tree: Path) -> Path:
    return next(path for path in (tree.parent / "cache").glob("*/*") if path.is_file() and not path.suffix)


def test_second_hunt_is_answered_from_memory(tree: Path, analyses: list[int]) -> None:
    first, second = ask(tree), ask(tree)

    assert first == second
    assert [finding.rule for finding in first[0]] == ["RH102"]
    assert analyses == [2]


@pytest.mark.parametrize(
    "options",
    [
        {"select": ["RH101"]},
        {"ignore": ["RH102"]},
        {"confidence": Confidence.CERTAIN},
        {"selection": Selection(root="pkg")},
    ],
    ids=["select", "ignore", "confidence", "selection"],
)
def test_another_question_is_not_answered_by_it(
    tree: Path, analyses: list[int], options: dict[str, object]
) -> None:
    ask(tree)
    ask(tree, **options)

    assert analyses == [2, 2]


def test_question_from_another_directory_is_another_question(
    tree: Path, analyses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tree)
    monkeypatch.chdir(tree)
    findings = ask(tree)[0]

    assert findings[0].location.path == "counter.py"
    assert analyses == [2, 2]


def test_changed_file_is_hunted_anew(tree: Path, analyses: list[int]) -> None:
    ask(tree)
    write(tree / "counter.py", PLAIN)

    assert ask(tree)[0] == ()
    assert analyses == [2, 2]


def test_touched_file_with_the_same_content_is_as_before(tree: Path, analyses: list[int]) -> None:
    before = ask(tree)
    os.utime(tree / "counter.py", (LONG_AGO + 5, LONG_AGO + 5))

    assert ask(tree) == before
    assert analyses == [2]


def test_new_and_removed_files_are_noticed(tree: Path, analyses: list[int]) -> None:
    ask(tree)
    write(tree / "more.py", COUNTER)
    assert len(ask(tree)[0]) == 2
    (tree / "more.py").unlink()

    assert len(ask(tree)[0]) == 1
    assert analyses == [2, 3, 2]


def test_ignore_file_that_comes_later_is_noticed(tree: Path, analyses: list[int]) -> None:
    ask(tree)
    write(tree / ".gitignore", "counter.py\n")

    assert ask(tree)[0] == ()
    assert analyses == [2, 1]


def test_other_files_in_the_directory_do_not_matter(tree: Path, analyses: list[int]) -> None:
    ask(tree)
    write(tree / "notes.txt", "nothing")

    ask(tree)

    assert analyses == [2]


def test_pattern_is_looked_up_every_time(tree: Path, analyses: list[int]) -> None:
    pattern = str(tree / "*.py")
    hunt([pattern], cache="cache")
    hunt([pattern], cache="cache")
    write(tree / "more.py", COUNTER)
    hunt([pattern], cache="cache")

    assert analyses == [2, 3]


def test_file_that_changes_while_it_is_read_is_not_remembered(tree: Path, analyses: list[int]) -> None:
    write(tree / "counter.py", COUNTER, at=time.time() + 1)
    ask(tree)
    ask(tree)

    assert analyses == [2, 2]


def test_file_that_changed_a_moment_ago_is_known_by_its_content(tree: Path, analyses: list[int]) -> None:
    now = time.time()
    write(tree / "counter.py", COUNTER, at=now - 1)
    ask(tree)
    ask(tree)
    write(tree / "counter.py", COUNTER.replace("value", "valve"), at=now - 1)
    ask(tree)

    assert analyses == [2, 2]


def test_change_where_nothing_was_looked_at_leaves_the_answer(
    tree: Path, analyses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    findings, _, statistics = ask(tree)
    write(tree / "plain.py", PLAIN + PLAIN)

    again, _, counted = ask(tree)

    assert again == findings
    assert counted.lines == statistics.lines + 2
    assert analyses == [2]


@pytest.mark.parametrize("text", ["import threading\n", "class Odd(Counter):\n    pass\n"], ids=["sign", "base"])
def test_change_that_makes_a_file_worth_reading_is_noticed(
    tree: Path, analyses: list[int], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    ask(tree)
    write(tree / "plain.py", text)
    ask(tree)

    assert analyses == [2, 2]


def test_file_that_can_no_longer_be_read_is_noticed(tree: Path, analyses: list[int]) -> None:
    ask(tree)
    (tree / "plain.py").unlink()
    (tree / "plain.py").symlink_to("nowhere.py")

    assert "cannot be read" in str(ask(tree)[1][0])
    assert analyses == [2, 2]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"{", b"[]", b"[1]", b'{"files": 3, "places": []}', b"[" * 100_000],
    ids=["empty", "bytes", "cut", "list", "number", "shape", "deep"],
)
def test_spoiled_entry_is_ignored_and_replaced(tree: Path, analyses: list[int], content: bytes) -> None:
    expected = ask(tree)
    entry_of(tree).write_bytes(content)

    assert ask(tree) == expected
    assert ask(tree) == expected
    assert analyses == [2, 2]


def test_entry_of_another_user_is_not_trusted(
    tree: Path, analyses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tree)
    owner = entry_of(tree).stat().st_uid
    monkeypatch.setattr(cachedir, "trusted_owners", lambda: {owner + 1})
    ask(tree)

    assert analyses == [2, 2]


def test_another_edition_of_racehound_asks_anew(
    tree: Path, analyses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tree)
    monkeypatch.setattr(cachedir, "_edition", lambda: "other")
    ask(tree)

    assert analyses == [2, 2]


def test_directory_that_cannot_be_made_does_no_harm(tree: Path, analyses: list[int]) -> None:
    (tree.parent / "cache").write_text("in the way", "utf-8")

    assert ask(tree)[0]
    assert ask(tree)[0]
    assert analyses == [2, 2]


def test_directory_is_marked_for_git_and_for_backups(tree: Path) -> None:
    ask(tree)
    directory = tree.parent / "cache"

    assert (directory / ".gitignore").read_text("utf-8") == "*\n"
    assert (
        (directory / "CACHEDIR.TAG").read_text("utf-8").startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_writing_that_fails_leaves_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = CacheDirectory(tmp_path)
    directory.write("key", "old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    directory.write("key", "new")

    assert directory.read("key") == "old"
    assert [path.name for path in tmp_path.glob("*/*")] == ["key"]


def test_what_killed_hunts_have_begun_to_write_is_swept_away(tmp_path: Path) -> None:
    directory = CacheDirectory(tmp_path)
    directory.write("key", "old")
    (place,) = {path.parent for path in tmp_path.glob("*/key")}
    for name, age in {".key.left": 7200, ".key.now": 0}.items():
        (place / name).write_bytes(b"half")
        os.utime(place / name, (time.time() - age, time.time() - age))

    directory.write("key", "new")

    assert sorted(path.name for path in place.iterdir()) == [".key.now", "key"]


@pytest.mark.slow
def test_hunts_at_once_share_one_directory(tree: Path) -> None:
    for number in range(20):
        write(tree / f"counter{number}.py", COUNTER)
    code = "import sys; from racehound.cli.main import run; sys.exit(run())"
    command = [sys.executable, "-c", code, "hunt", "pkg", "--format", "json", "--cache-dir", "cache"]
    started = [subprocess.Popen(command, cwd=tree.parent, stdout=subprocess.PIPE) for _ in range(3)]
    outputs = [process.communicate()[0] for process in started]

    assert {process.returncode for process in started} == {1}
    assert len(set(outputs)) == 1
    assert len(json.loads(outputs[0])["findings"]) == 21
    assert [path.name for path in (tree.parent / "cache").glob("*/.*")] == []


def test_what_is_stored_comes_back_equal(tree: Path) -> None:
    files = sorted(tree.glob("*.py"))
    result = analysing.analyse(files, all_rules(), Confidence.POSSIBLE)

    assert result.findings
    assert result_of(json.loads(json.dumps(plain(result)))) == result


@pytest.mark.slow
def test_number_of_processes_and_state_of_memory_change_nothing(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "ENOUGH", 2)
    for number in range(6):
        write(tree / f"counter{number}.py", COUNTER.replace("Counter", f"Counter{number}"))
    write(tree / "broken.py", "def (:\n")
    alone = hunt([tree], jobs=1)

    assert hunt([tree], jobs=2) == alone
    assert ask(tree, jobs=2) == alone
    assert ask(tree) == alone
    assert len(alone[0]) == 7
    assert len(alone[1]) == 1


def test_progress_is_told(tree: Path) -> None:
    told: list[tuple[str, int, int]] = []
    steps = 2 * len(all_rules())

    hunt([tree], progress=lambda *progress: told.append(progress))

    assert told[:2] == [("reading", 1, 2), ("reading", 2, 2)]
    assert [verb for verb, _, _ in told[2:]] == ["judging"] * len(told[2:])
    assert told[-1] == ("judging", steps, steps)


def test_memory_without_an_entry_knows_nothing(tmp_path: Path) -> None:
    question = memory.Question(("x",), (), (), Confidence.LIKELY, Selection())

    assert Memory(tmp_path / "none").recall(question) is None


def test_ignore_files_that_are_not_there_are_not_looked_for_again(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    look = signatures.signature
    hunt([tree], cache=tmp_path / "cache")

    def noted(path: str) -> Any:
        asked.append(path)
        return look(path)

    monkeypatch.setattr(signatures, "signature", noted)
    hunt([tree], cache=tmp_path / "cache")

    assert str(tree) in asked
    assert not {f"{tree}/.gitignore", f"{tree}/.ignore"} & set(asked)


def test_ignore_file_that_a_link_leads_to_is_noticed_when_it_comes(tree: Path, tmp_path: Path) -> None:
    (tree / ".gitignore").symlink_to(tmp_path / "ignored")
    known = hunt([tree], cache=tmp_path / "cache")

    write(tmp_path / "ignored", "counter.py\n")

    assert known[0]
    assert not hunt([tree], cache=tmp_path / "cache")[0]
