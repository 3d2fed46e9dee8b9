import os
from pathlib import Path

import pytest

from racehound.errors import UsageError
from racehound.source.discover import Selection, complaints, discover


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def names(root: Path, selection: Selection | None = None) -> list[str]:
    return [path.relative_to(root).as_posix() for path in discover([root], selection)]


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n", "utf-8")


def test_directories_give_their_python_files_in_a_fixed_order(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a/__init__.py", "a/notes.txt", "gui.pyw")

    found = [path.relative_to(tmp_path).as_posix() for path in discover([tmp_path])]

    assert found == ["a/__init__.py", "a/z.py", "b.py", "gui.pyw"]


def test_caches_environments_and_hidden_directories_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.py", ".venv/b.py", "venv/c.py", "__pycache__/d.py", "lib/site-packages/e.py", "build/f.py")

    assert [path.name for path in discover([tmp_path])] == ["a.py"]


def test_file_that_is_named_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    make(tmp_path, ".hidden/script")

    assert discover([tmp_path / ".hidden" / "script"]) == (tmp_path / ".hidden" / "script",)


def test_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "a.py")

    assert len(discover([tmp_path, tmp_path / "a.py", str(tmp_path / "a.py")])) == 1


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)

    assert [path.name for path in discover([tmp_path])] == ["a.py"]


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "pipe.py")

    assert [path.name for path in discover([tmp_path])] == ["a.py"]
    with pytest.raises(UsageError, match=r"pipe\.py is neither a regular file nor a directory"):
        discover([tmp_path / "pipe.py"])


def test_link_to_nothing_is_left_for_the_reader_to_complain_of(tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to(tmp_path / "gone.py")

    assert [path.name for path in discover([tmp_path])] == ["link.py"]


def test_each_path_that_cannot_be_searched_has_its_complaint(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    paths = [tmp_path, tmp_path / "a.py", tmp_path / "missing.py"]

    found = complaints(paths)

    assert list(found) == [tmp_path / "missing.py"]
    assert found[tmp_path / "missing.py"].hint == "name a Python file or a directory"


def test_path_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such file or directory: .*missing"):
        discover([tmp_path / "missing"])


@pytest.mark.parametrize("marker", ["", ".git/HEAD"])
def test_what_git_ignores_is_left_out(marker: str, tmp_path: Path) -> None:
    make(tmp_path, "a.py", "out/b.py", "src/c_gen.py", "src/keep_gen.py", "src/out/d.py", "src/deep/e.py")
    if marker:
        make(tmp_path, marker)
    (tmp_path / ".gitignore").write_text("/out/\n*_gen.py\n")
    (tmp_path / "src" / ".gitignore").write_text("!keep_gen.py\ndeep\n")

    assert names(tmp_path) == ["a.py", "src/keep_gen.py", "src/out/d.py"]
    assert len(names(tmp_path, Selection(respect_gitignore=False))) == 6


def test_what_is_ignored_above_counts_below(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "src/a.py", "src/b_gen.py", "src/c.py", "src/e.py")
    (tmp_path / ".gitignore").write_text("*_gen.py\n/src/c.py\n")
    (tmp_path / ".git" / "info").mkdir()
    (tmp_path / ".git" / "info" / "exclude").write_text("e.py\n")

    assert names(tmp_path / "src") == ["a.py"]


def test_directory_above_the_repository_has_no_say(tmp_path: Path) -> None:
    make(tmp_path, "repository/.git/HEAD", "repository/src/a.py")
    (tmp_path / ".gitignore").write_text("*.py\n")

    assert names(tmp_path / "repository") == ["src/a.py"]
    assert names(tmp_path) == ["repository/src/a.py"]


def test_repository_within_another_says_itself_what_it_ignores(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "a.py", "other/c.py")
    make(tmp_path / "inner", ".git/HEAD", "a.py", "b.py", "sub/c.py")
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / ".ignore").write_text("b.py\n")
    (tmp_path / "inner" / ".git" / "info").mkdir()
    (tmp_path / "inner" / ".git" / "info" / "exclude").write_text("c.py\n")

    assert names(tmp_path) == ["inner/a.py", "other/c.py"]


def test_excludes_of_a_work_tree_stand_in_its_repository(tmp_path: Path) -> None:
    make(tmp_path, "main/.git/HEAD", "main/.git/worktrees/tree/HEAD", "tree/a.py", "tree/sub/b.py", "tree/.git")
    (tmp_path / "main" / ".git" / "info").mkdir()
    (tmp_path / "main" / ".git" / "info" / "exclude").write_text("b.py\n")
    (tmp_path / "main" / ".git" / "worktrees" / "tree" / "commondir").write_text("../..\n")
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/tree\n")

    assert names(tmp_path / "tree") == ["a.py"]


def test_other_ignore_files_have_the_last_word(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / ".ignore").write_text("!a.py\nb.py\n")

    assert names(tmp_path) == ["a.py"]


def test_other_ignore_files_have_the_last_word_over_all_below_them(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "sub/a.py", "sub/b.py")
    (tmp_path / ".ignore").write_text("!a.py\n")
    (tmp_path / "sub" / ".gitignore").write_text("*.py\n")

    assert names(tmp_path) == ["a.py", "sub/a.py"]


def test_settings_of_the_user_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "project/a.py", "project/b.py", "project/c.py")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config" / "git").mkdir(parents=True)
    (tmp_path / ".config" / "git" / "ignore").write_text("a.py\n")
    assert names(tmp_path / "project") == ["b.py", "c.py"]

    (tmp_path / "mine").write_text("b.py\n")
    (tmp_path / ".gitconfig").write_text("[core]\n    excludesFile = ~/mine\n")
    assert names(tmp_path / "project") == ["a.py", "c.py"]


def test_exclusions_replace_the_usual_ones_and_are_relative_to_the_root(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "build/b.py", "src/old/c.py", "old/d.py")
    selection = Selection(exclude=("src/old",), root=str(tmp_path))

    assert names(tmp_path, selection) == ["a.py", "build/b.py", "old/d.py"]


def test_patterns_with_a_slash_say_nothing_outside_of_the_root(tmp_path: Path) -> None:
    make(tmp_path, "src/old/a.py", "src/gen/b.py", "root/x.py")
    selection = Selection(exclude=("src/old", "gen"), root=str(tmp_path / "root"))

    assert names(tmp_path, selection) == ["root/x.py", "src/old/a.py"]


def test_named_path_is_left_out_only_when_exclusion_is_forced(tmp_path: Path) -> None:
    make(tmp_path, "build/deep/a.py", "b.py")
    named = [tmp_path / "build" / "deep" / "a.py", tmp_path / "build", tmp_path / "b.py"]

    assert len(discover(named, Selection(root=str(tmp_path)))) == 2
    forced = discover(named, Selection(root=str(tmp_path), force_exclude=True))
    assert [path.name for path in forced] == ["b.py"]
    assert discover(named[:1], Selection(force_exclude=True, exclude=("a.py",), root=str(tmp_path / "x"))) == ()


def test_virtual_environment_is_left_out_whatever_it_is_called(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "env311/pyvenv.cfg", "env311/lib/b.py")

    assert names(tmp_path) == ["a.py"]
    assert names(tmp_path / "env311") == ["lib/b.py"]


def test_stubs_and_other_files_are_left_out_but_scripts_are_not(tmp_path: Path) -> None:
    make(tmp_path, "a.pyi", "b.py", "notes.txt", "Makefile")
    (tmp_path / "tool").write_text("#!/usr/bin/env python3\n")
    (tmp_path / "shell").write_text("#!/bin/sh\n")
    (tmp_path / "page.ipynb").write_text("{}")

    assert names(tmp_path) == ["b.py", "page.ipynb", "tool"]


def test_pattern_that_the_shell_has_left_is_looked_up(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py", "src/deep/b.py", "odd[1].py")

    assert [path.name for path in discover([tmp_path / "src" / "**" / "*.py"])] == ["a.py", "b.py"]
    assert [path.name for path in discover([tmp_path / "odd[1].py"])] == ["odd[1].py"]
    assert complaints([tmp_path / "*.txt"])


def test_links_that_lead_to_each_other_are_left_to_the_reader(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    (tmp_path / "b.py").symlink_to(tmp_path / "c.py")
    (tmp_path / "c.py").symlink_to(tmp_path / "b.py")
    (tmp_path / "d").symlink_to(tmp_path / "d")

    assert names(tmp_path) == ["a.py", "b.py", "c.py"]


def test_link_to_a_file_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "z.py")
    (tmp_path / "a.py").symlink_to(tmp_path / "z.py")

    assert names(tmp_path) == ["z.py"]
    assert discover([tmp_path / "a.py", tmp_path]) == discover([tmp_path, tmp_path / "a.py"])


@pytest.mark.parametrize("text", ["a\0b", "x" * 5000])
def test_text_that_cannot_be_a_path_is_complained_of(text: str) -> None:
    assert complaints([text])


def test_directory_that_cannot_be_read_is_left_to_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests may run as a user for whom nothing is unreadable, so the refusal is played."""
    make(tmp_path, "a.py", "closed/b.py")
    listing = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)

    assert names(tmp_path) == ["a.py", "closed"]


def test_script_that_cannot_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "tool")

    def refuse(path: Path, *args: object, **options: object) -> object:
        raise PermissionError(13, f"Permission denied: {path} {args} {options}")

    monkeypatch.setattr(Path, "open", refuse)

    assert names(tmp_path) == []
