"""After any edits, what is answered with a memory is what a hunt from nothing answers.

For a long run, set RACEHOUND_EDITS to a number of edits, and RACEHOUND_TREE to a directory with packages.
"""

import os
import random
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from racehound.analysis import islands
from racehound.model.finding import Confidence
from racehound.pipeline import reading
from racehound.pipeline.hunt import Answer, hunt

_EDITS = int(os.environ.get("RACEHOUND_EDITS", "12"))
_SEEDS = (1, 2)
Edit: TypeAlias = Callable[[random.Random, list[str]], None]

CLASSES = """
import threading
import asyncio

class Base{n}:
    def __init__(self):
        self._lock = threading.Lock()
        self.count = 0
        self.table = {{}}

    def add(self, key):
        if key not in self.table:
            self.table[key] = self.count
        self.count += 1

    def drop(self, key):
        with self._lock:
            self.table.pop(key, None)
            self.count -= 1
"""
USERS = """
import threading
import asyncio
from {package}.base{n} import Base{n}

class Derived{n}(Base{n}):
    def run(self):
        for _ in range(3):
            threading.Thread(target=self.add, args=(1,)).start()

    async def fetch(self):
        if self.count:
            await asyncio.sleep(0)
            self.count = 0

def main():
    Derived{n}().run()
"""
PLAIN = "class Plain{n}:\n    def add(self, value):\n        return value\n"


def add_class(chance: random.Random, lines: list[str]) -> None:
    name = f"Added{chance.randrange(1000)}"
    lines += [
        "",
        f"class {name}:",
        "    total = 0",
        "",
        "    def add(self, value):",
        "        self.total += value",
    ]


def add_derived(chance: random.Random, lines: list[str]) -> None:
    found = [match[1] for line in lines if (match := re.match(r"class (\w+)", line))]
    base = chance.choice(found) if found else "object"
    lines += [
        "",
        f"class Heir{chance.randrange(1000)}({base}):",
        "    def drop(self, key):",
        "        self.count = 0",
    ]


def add_method(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"class \w+.*:$")
    if at:
        name = chance.choice(("add", "reset", "close", "_helper"))
        lines[at:at] = [f"    def {name}(self, *values):", "        self.count = self.count + 1", ""]


def add_start(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"    def \w+\(self.*\):$")
    if at:
        lines[at:at] = ["        import threading", "        threading.Thread(target=self.add).start()"]


def add_lock(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"    def \w+\(self.*\):$")
    if at and lines[at].strip() and not lines[at].rstrip().endswith((":", "(", "[", "{", '"""', ",")):
        lines[at : at + 1] = ["        with self._lock:", f"    {lines[at]}"]


def rename_method(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"    def \w+\(")
    if at:
        lines[at - 1] = re.sub(r"def \w+", f"def {chance.choice(('add', 'drop', 'renamed'))}", lines[at - 1])


def rename_class(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"class \w+")
    if at:
        lines[at - 1] = re.sub(r"class \w+", f"class Renamed{chance.randrange(9)}", lines[at - 1])


def change_base(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"class \w+(\(\w*\))?:$")
    if at:
        base = chance.choice(("", "(threading.Thread)", "(object)", "(Exception)"))
        lines[at - 1] = re.sub(r"(class \w+).*", rf"\1{base}:", lines[at - 1])


def remove_line(chance: random.Random, lines: list[str]) -> None:
    if lines:
        lines.pop(chance.randrange(len(lines)))


def remove_import(chance: random.Random, lines: list[str]) -> None:
    at = _after(chance, lines, r"(import|from) ")
    if at:
        lines.pop(at - 1)


def add_import(chance: random.Random, lines: list[str]) -> None:
    lines[:0] = [
        chance.choice(("import threading", "import one.base0", "from two.user1 import Derived1", "import os"))
    ]


def comment(chance: random.Random, lines: list[str]) -> None:
    lines.insert(chance.randrange(len(lines) + 1), "# nothing")


EDITS: tuple[Edit, ...] = (
    *(add_class, add_derived, add_method, add_start, add_lock, rename_method, rename_class, change_base),
    *(remove_line, remove_import, add_import, comment),
)


def _after(chance: random.Random, lines: list[str], pattern: str) -> int:
    """Behind one of the lines that match; 0 where there is none."""
    found = [number for number, line in enumerate(lines, 1) if re.match(pattern, line) and number < len(lines)]
    return chance.choice(found) if found else 0


def edit_files(chance: random.Random, files: list[Path]) -> None:
    """A file edited, most often; or deleted, renamed, added."""
    path, kind = chance.choice(files), chance.randrange(12)
    if kind == 0:
        path.unlink()
    elif kind == 1:
        path.rename(path.with_name(f"moved{chance.randrange(1000)}.py"))
    elif kind == 2:
        path.with_name(f"new{chance.randrange(1000)}.py").write_bytes(path.read_bytes())
    else:
        lines = path.read_text("utf-8", "surrogateescape").split("\n")
        for _ in range(chance.randrange(1, 3)):
            chance.choice(EDITS)(chance, lines)
        path.write_text("\n".join(lines), "utf-8", "surrogateescape")


def _settle(files: list[Path], age: float) -> None:
    """As if all was changed long ago: what is fresh is not kept."""
    for path in files:
        if path.stat().st_mtime > time.time() - 100:
            os.utime(path, (age, age))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages that nothing connects, judged apart, and files that are only read where others lead to them."""
    monkeypatch.setattr(islands, "ENOUGH", 1)
    monkeypatch.setattr(reading, "EVERYTHING", 0)
    place = tmp_path / "tree"
    if "RACEHOUND_TREE" in os.environ:
        shutil.copytree(os.environ["RACEHOUND_TREE"], place)
    for package in () if place.exists() else ("one", "two"):
        (place / package).mkdir(parents=True)
        (place / package / "__init__.py").write_text("", "utf-8")
        for n in range(3):
            for name, text in {"base": CLASSES, "user": USERS, "plain": PLAIN}.items():
                (place / package / f"{name}{n}.py").write_text(text.format(package=package, n=n), "utf-8")
    monkeypatch.chdir(place)
    return place


def answer(cache: Path | None) -> Answer:
    return hunt(["."], confidence=Confidence.POSSIBLE, cache=cache, jobs=1, is_lenient=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", _SEEDS)
def test_answer_after_random_edits_is_that_of_a_hunt_from_nothing(tree: Path, tmp_path: Path, seed: int) -> None:
    chance, cache = random.Random(seed), tmp_path / "cache"  # noqa: S311 - no secret
    age = time.time() - 10_000
    for step in range(_EDITS):
        files = sorted(tree.rglob("*.py"))
        _settle(files, age + step)

        assert answer(cache) == answer(None), f"after {step} edits"

        edit_files(chance, files)
