"""What was collected of a file is not collected again while the file is as it was."""

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline import factstore, reading
from racehound.pipeline.hunt import Answer, hunt
from racehound.pipeline.signatures import digest
from racehound.source.module import SourceModule
from racehound.source.prefilter import is_worth_parsing

LONG_AGO = time.time() - 3600
FILES = {
    "store.py": "class Store:\n    def add(self, other):\n        self.total = self.total + other\n",
    "work.py": (
        "import threading\n\nfrom pkg.store import Store\n\nSTORE = Store()\n\n\ndef work():\n    STORE.add(1)\n"
        "\n\ndef start():\n    for _ in range(3):\n        threading.Thread(target=work).start()\n"
    ),
    "plain.py": "def double(number):\n    return 2 * number\n",
}


@pytest.fixture(name="parsed")
def _parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were parsed."""
    seen: list[str] = []
    real = reading.facts_of

    def noting(module: SourceModule) -> object:
        seen.append(Path(module.path).name)
        return real(module)

    monkeypatch.setattr(reading, "facts_of", noting)
    return seen


@pytest.fixture(
    name="tree", params=[(0, 1), (0, 2), (200, 2)], ids=["after one hunt", "after two hunts", "everything"]
)
def _tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[str], request: pytest.FixtureRequest
) -> Path:
    """A tree that has been hunted in, once or twice with a change in between."""
    everything, hunts = request.param
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "EVERYTHING", everything)
    for name, text in FILES.items():
        write(tmp_path / "pkg" / name, text)
    ask()
    if hunts > 1:
        write(tmp_path / "pkg" / "work.py", FILES["work.py"].replace("3", "4").replace("1", "2"), LONG_AGO + 1)
        write(tmp_path / "pkg" / "store.py", FILES["store.py"].replace("other", "value"), LONG_AGO + 1)
        ask()
    parsed.clear()
    return tmp_path / "pkg"


def write(path: Path, text: str, at: float = LONG_AGO) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (at, at))


def ask(cache: str | None = "cache") -> Answer:
    return hunt(["pkg"], confidence=Confidence.POSSIBLE, cache=cache)


def change(tree: Path) -> None:
    write(
        tree / "work.py",
        FILES["work.py"].replace("STORE.add(1)", "STORE.add(1)\n    STORE.total += 1"),
        LONG_AGO + 2,
    )


def kept(ending: str) -> Path:
    return next(path for path in Path("cache").glob("*/*") if path.name.endswith(ending))


def test_changed_file_alone_is_parsed(tree: Path, parsed: list[str]) -> None:
    change(tree)

    answer = ask()

    assert set(parsed) == {"work.py"}
    assert answer == ask(None)
    assert answer[0]


def test_unchanged_files_are_not_looked_through_for_signs_again(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_through: list[bytes] = []

    def noting(data: bytes) -> bool:
        looked_through.append(data)
        return is_worth_parsing(data)

    monkeypatch.setattr(reading, "is_worth_parsing", noting)
    change(tree)

    ask()

    assert set(looked_through) <= {(tree / "work.py").read_bytes()}


def test_what_is_kept_again_is_as_good_as_new(tree: Path, parsed: list[str]) -> None:
    change(tree)
    ask()
    write(tree / "work.py", FILES["work.py"].replace("3", "5"), LONG_AGO + 3)
    write(tree / "plain.py", f"import threading\n{FILES['plain.py']}", LONG_AGO + 3)
    parsed.clear()

    answer = ask()

    assert "store.py" not in parsed
    assert answer == ask(None)


@pytest.mark.parametrize("ending", [".facts", ".learned"])
def test_spoiled_facts_are_collected_anew(tree: Path, parsed: list[str], ending: str) -> None:
    kept(ending).write_bytes(b"[]")
    change(tree)

    answer = ask()

    assert "store.py" in parsed
    assert answer == ask(None)


class Harmful:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("harmed"),)  # type: ignore[return-value]  # not made for this


@pytest.mark.parametrize("value", [Harmful(), os.getcwd, {"some": "thing"}], ids=["act", "function", "value"])
def test_facts_that_somebody_else_has_written_run_nothing(tree: Path, parsed: list[str], value: object) -> None:
    foreign = pickle.dumps(value)
    learned = json.loads(kept(".learned").read_bytes())
    learned["facts"] = {
        path: [0, len(foreign), digest(foreign), *rest] for path, (_, _, _, *rest) in learned["facts"].items()
    }
    kept(".learned").write_text(json.dumps(learned), "utf-8")
    kept(".facts").write_bytes(foreign)
    change(tree)

    answer = ask()

    assert not Path("harmed").exists()
    assert "store.py" in parsed
    assert answer == ask(None)


def test_file_that_has_only_been_touched_is_not_parsed(tree: Path, parsed: list[str]) -> None:
    os.utime(tree / "store.py", (LONG_AGO + 7, LONG_AGO + 7))
    change(tree)

    ask()

    assert "store.py" not in parsed


def test_facts_of_a_tree_that_was_parsed_as_a_whole_do_not_count_when_it_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "EVERYTHING", len(FILES))
    for name, text in FILES.items():
        write(tmp_path / "pkg" / name, text)
    ask()
    write(tmp_path / "pkg" / "more.py", FILES["work.py"])

    answer = ask()

    assert answer == ask(None)
    assert answer[2].unparsed == 1


def test_facts_that_cannot_be_packed_are_left_out(
    tree: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(factstore._Writer, "dispatch_table", dict.fromkeys(factstore._EVENTS, too_deep))
    change(tree)
    ask()
    write(tree / "store.py", FILES["store.py"], LONG_AGO + 4)
    parsed.clear()

    assert ask() == ask(None)
    assert "work.py" in parsed


def test_equal_facts_are_equal_bytes_whatever_the_seed_of_hashing(tmp_path: Path) -> None:
    kept = []
    for seed in ("1", "2"):
        place = tmp_path / seed
        (place / "pkg").mkdir(parents=True)
        for name, text in FILES.items():
            write(place / "pkg" / name, text)
        run = subprocess.run(
            (sys.executable, "-m", "racehound", "hunt", "pkg"),
            cwd=place,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        )
        assert run.returncode == 1, run
        kept.append([path.read_bytes() for path in sorted(place.rglob("*.facts"))])

    assert kept[0] == kept[1]
    assert kept[0]
