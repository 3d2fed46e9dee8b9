import os
from pathlib import Path

import pytest

from racehound.instrument.elsewhere import VARIABLE
from racehound.scenario.scratch import LARGE, Names, Scratch


def test_files_are_seen_and_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr("tempfile._name_sequence", None)
    (tmp_path / "kept").write_text("1")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "deep").write_text("2")
    scratch = Scratch()
    (tmp_path / "kept").write_text("changed")
    (tmp_path / "below" / "deep").unlink()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "file").write_text("3")
    (tmp_path / "other").write_text("4")
    (tmp_path / "large").write_bytes(bytes(LARGE + 1))

    assert scratch.files() == {"kept": "b'changed'", "new/file": "b'3'", "other": "b'4'"}
    scratch.restore()
    assert scratch.files() == {"kept": "b'1'", "below/deep": "b'2'"}


def test_without_a_directory_of_its_own_it_touches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("1")

    scratch = Scratch()
    scratch.restore()

    assert scratch.files() == {}
    assert (tmp_path / "mine").read_text() == "1"


def test_names_of_temporary_files_begin_anew() -> None:
    first, second = Names(), Names()

    assert [next(iter(first)), next(first)] == [next(second), next(second)]


def test_an_execution_begins_in_the_directory_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    scratch = Scratch()
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    scratch.restore()

    assert Path.cwd() == tmp_path
