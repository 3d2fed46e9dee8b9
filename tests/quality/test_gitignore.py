"""What is left out is what git itself would leave out, for random trees with random patterns."""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from racehound.source.discover import Selection, discover

PIECES = (
    *("a", "b", "ab", "*", "**", "a*", "?", "*.py", "[ab]", "[!a]", "c.py", "src", "x\\ y", "a?", "[a-c].py"),
    *("**b", "d.p[y]"),
)
FOLDERS = ("a", "b", "ab", "src", "x y", "c.py")
FILES = ("a.py", "ab.py", "c.py", "d.py")


def pattern(chance: random.Random) -> str:
    body = "/".join(chance.choice(PIECES) for _ in range(chance.choice((1, 1, 1, 2, 2, 3))))
    slash, end, negation = (chance.random() < 0.25 for _ in range(3))
    return f"{'!' * negation}{'/' * slash}{body}{'/' * end}"


def grow(root: Path, chance: random.Random) -> None:
    folders = [root]
    for _ in range(8):
        folder = chance.choice(folders) / chance.choice(FOLDERS)
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for folder in folders:
        for name in chance.sample(FILES, 2):
            if not (folder / name).exists():
                (folder / name).write_text("x = 1\n")
    for folder in (root, *chance.sample(folders, min(2, len(folders)))):
        patterns = [pattern(chance) for _ in range(chance.randint(1, 4))]
        (folder / ".gitignore").write_text("\n".join(patterns) + "\n")


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to agree with")
@pytest.mark.parametrize("seed", range(12))
def test_files_are_those_that_git_does_not_ignore(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = tmp_path / "repository"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet", root], check=True)
    grow(root, random.Random(seed))  # noqa: S311 - to be repeated, not to be secret

    listing = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")

    found = {os.path.relpath(path, root) for path in discover([root], Selection(exclude=(".git",)))}
    assert found == {name for name in listed if name.endswith(".py")}
