"""Paths that cannot be reached, for whatever reason, are told in one line; they never end the hunt by a defect."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from racehound.cli import exits
from racehound.cli.main import main, run

NOBODY = 65534
RACY = """\
class Counter:
    '''Thread-safe.'''

    def __init__(self):
        self.value = 0

    def increment(self):
        self.value += 1
"""
Output: TypeAlias = pytest.CaptureFixture[str]


@contextmanager
def without_privileges() -> Iterator[None]:
    """As somebody for whom a closed directory is closed."""
    privileged = os.geteuid() == 0
    if privileged:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if privileged:
            os.seteuid(0)


def load_everything(capsys: Output) -> None:
    """The interpreter itself may stand where others than the superuser cannot read it."""
    main(["hunt", "counter.py", "--no-cache", "--format", "markdown", "--output", "reports"])
    main(["hunt", "counter.py", "--no-cache", "--baseline", "known.json", "--write-baseline"])
    main(["hunt", "counter.py", "--no-cache", "--output", "report"])
    main(["hunt", "[n]othing.py", "--no-cache", "--config", "nothing.toml"])
    capsys.readouterr()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> Iterator[Path]:
    """A directory that everybody may use, and a closed one in it."""
    for directory in (tmp_path.parent.parent, tmp_path.parent, tmp_path):
        directory.chmod(0o755)
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "inner.py").write_text(RACY)
    (tmp_path / "counter.py").write_text(RACY)
    closed.chmod(0)
    monkeypatch.chdir(tmp_path)
    load_everything(capsys)
    yield tmp_path
    closed.chmod(0o755)


def hunted(*arguments: str) -> int:
    with without_privileges():
        return main(["hunt", "--no-cache", *arguments])


@pytest.mark.usefixtures("project")
def test_closed_directory_is_named_and_the_rest_is_analysed(capsys: Output) -> None:
    assert hunted() == exits.FINDINGS

    captured = capsys.readouterr()
    assert "1 finding in 2 files (1 could not be analysed)." in captured.out
    assert captured.err == "racehound: closed: cannot be read: Permission denied\n"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "arguments",
    [
        ("closed/inner.py",),
        ("closed/*.py",),
        ("counter.py", "--output", "closed/report"),
        ("counter.py", "--output", "closed/report", "--format", "markdown"),
        ("counter.py", "--baseline", "closed/b.json"),
        ("counter.py", "--config", "closed/racehound.toml"),
    ],
)
def test_path_in_a_closed_directory_is_one_line(arguments: tuple[str, ...], capsys: Output) -> None:
    assert hunted(*arguments) == exits.USAGE

    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert "internal error" not in errors


def test_directory_above_may_be_closed(project: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = project / "closed" / "inner"
    inner.mkdir()
    (inner / "counter.py").write_text(RACY)
    monkeypatch.chdir(inner)

    assert hunted("counter.py", "--isolated") == exits.FINDINGS
    assert "counter.py:8" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_path_that_is_too_long_is_one_line(capsys: Output) -> None:
    assert main(["hunt", "x" * 5000]) == exits.USAGE
    assert "cannot be read: File name too long" in capsys.readouterr().err


def test_current_directory_that_is_gone_is_one_line(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert main(["hunt", str(tmp_path)]) == exits.USAGE
    assert capsys.readouterr().err == (
        "racehound: the current directory cannot be told: No such file or directory; change to one that is there\n"
    )


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device", text[:0])


@pytest.mark.usefixtures("project")
def test_output_that_takes_nothing_more_is_one_line(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Full())
        assert main(["hunt", "counter.py", "--no-cache"]) == exits.USAGE

    assert capsys.readouterr().err == "racehound: cannot write to standard output: No space left on device\n"


@pytest.mark.usefixtures("project")
def test_hunt_without_any_stream_has_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["racehound", "hunt", "counter.py", "--no-cache"])
        patch.setattr(sys, "stdout", None)
        patch.setattr(sys, "stderr", None)
        assert run() == exits.FINDINGS
        sys.stdout.close()
        sys.stderr.close()
