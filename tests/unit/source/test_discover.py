import os
from pathlib import Path

import pytest

from racehound.errors import UsageError
from racehound.source.discover import complaints, discover


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
