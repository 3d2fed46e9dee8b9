"""The history of a git repository is compared by what it says, not by names in which the time of day is hidden."""

import os
import subprocess
from pathlib import Path

import pytest

from racehound.audit.views.tree import tree_entries


class Repository:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._git("init", "-q", "-b", "main")
        self.add("base")

    def _git(self, *arguments: str, when: int = 1) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{1_000_000_000 + when} +0000")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._root), **dates}
        subprocess.run(["git", *identity, *arguments], cwd=self._root, env=environment, check=True)

    def add(self, name: str, when: int = 1) -> None:
        (self._root / name).write_text(name)
        self._git("add", name)
        self._git("commit", "-q", "-m", f"add {name}", when=when)

    def tag(self, name: str, when: int) -> None:
        self._git("tag", "-a", "-m", f"release {name}", name, when=when)

    def stash(self, name: str, when: int) -> None:
        (self._root / name).write_text("changed")
        self._git("stash", "push", "-q", "-m", f"keep {name}", when=when)

    def pack(self) -> None:
        self._git("gc", "-q")

    def entries(self) -> dict[str, str]:
        return tree_entries(self._root.parent, [self._root.name])


@pytest.fixture
def twins(tmp_path: Path) -> tuple[Repository, Repository]:
    found = []
    for name in ("one", "two"):
        (tmp_path / name / "work").mkdir(parents=True)
        found.append(Repository(tmp_path / name / "work"))
    return found[0], found[1]


def test_equal_histories_of_different_times_are_equal(twins: tuple[Repository, Repository]) -> None:
    for when, repository in enumerate(twins, 10):
        repository.add("k1", when)
        repository.tag("v1", when)
        repository.stash("k1", when)
        repository.stash("base", when)

    one, two = (repository.entries() for repository in twins)
    assert one == two
    assert {"commit 'add k1'", "commit 'add base'"} <= _about("refs/heads/main", one)
    assert {"tag 'release v1'", "commit 'add k1'"} <= _about("refs/tags/v1", one)
    assert _about("logs/refs/stash", one) == {"stash 'On main: keep k1'", "stash 'On main: keep base'"}


def test_a_commit_that_is_missing_is_noticed(twins: tuple[Repository, Repository]) -> None:
    for when, repository in enumerate(twins, 10):
        repository.add("k1", when)
    twins[1].add("k2")

    one, two = (repository.entries() for repository in twins)
    assert _about("refs/heads/main", two) - _about("refs/heads/main", one) == {"commit 'add k2'"}


def test_the_message_of_a_commit_that_was_refused_is_no_state(twins: tuple[Repository, Repository]) -> None:
    assert not any("COMMIT_EDITMSG" in name for name in twins[0].entries())


def test_what_lies_in_a_pack_counts_by_its_name(twins: tuple[Repository, Repository]) -> None:
    repository = twins[0]
    repository.pack()
    repository.add("k1")

    first, second = sorted(_about("refs/heads/main", repository.entries()))
    assert first == "commit 'add k1'"
    assert second.startswith("object ")


def _about(ref: str, entries: dict[str, str]) -> set[str]:
    prefix = f"work/.git/{ref}: "
    return {name.removeprefix(prefix) for name in entries if name.startswith(prefix)}
