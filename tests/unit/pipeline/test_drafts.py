"""Entries of the cache that are written bit by bit."""

from pathlib import Path

import pytest

from racehound.pipeline.cachedir import CacheDirectory, Draft


def left_behind(top: Path) -> list[str]:
    return sorted(path.name for path in top.glob("*/*"))


def test_draft_takes_its_place_when_it_is_complete(tmp_path: Path) -> None:
    entries = CacheDirectory(tmp_path)
    with Draft(entries, "key") as draft:
        draft.add(b"one ")
        assert entries.read_part("key", 0, -1) is None
        draft.add(b"two")

    assert entries.read_part("key", 0, -1) == b"one two"
    assert left_behind(tmp_path) == ["key"]


def test_what_comes_in_between_leaves_nothing(tmp_path: Path) -> None:
    def interrupted(draft: Draft) -> None:
        with draft:
            draft.add(b"one")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted(Draft(CacheDirectory(tmp_path), "key"))

    assert left_behind(tmp_path) == []


def test_error_of_others_is_not_taken_for_one_of_writing(tmp_path: Path) -> None:
    def failing(draft: Draft) -> None:
        with draft:
            raise PermissionError("elsewhere")

    with pytest.raises(PermissionError, match="elsewhere"):
        failing(Draft(CacheDirectory(tmp_path), "key"))

    assert left_behind(tmp_path) == []


def test_directory_that_cannot_be_written_remembers_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with Draft(CacheDirectory(tmp_path / "file"), "key") as draft:
        draft.add(b"one")

    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, _: bytes) -> int:
            raise OSError("no space left on device")

    with Draft(CacheDirectory(tmp_path), "key") as draft:
        monkeypatch.setattr(draft, "_file", Full())
        draft.add(b"one")
        draft.add(b"two")

    assert left_behind(tmp_path) == []
