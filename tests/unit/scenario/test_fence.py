"""The fence as the interpreter hears it; whether the kernel holds it is tried by real attacks elsewhere."""

import os
import signal
from pathlib import Path

import pytest

from racehound.scenario.fence import VARIABLE, Fence

WRITE = os.O_WRONLY | os.O_CREAT


@pytest.fixture(name="inside")
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "inside"
    place.mkdir()
    (tmp_path / "inside-out").touch()
    monkeypatch.chdir(place)
    return place


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("open", ("../inside-out", "r", os.O_RDONLY)),
        ("open", ("mine", "w", WRITE)),
        ("open", (b"mine", None, WRITE)),
        ("open", ("/dev/null", "w", WRITE)),
        ("open", (7, "w", WRITE)),
        ("os.rename", ("mine", "yours", -1, -1)),
        ("os.symlink", ("../inside-out", "link", -1)),
        ("sqlite3.connect", (":memory:",)),
        ("sqlite3.connect", ("mine.db",)),
        ("os.kill", (os.getpid(), signal.SIGTERM)),
        ("os.kill", (1, 0)),
        ("os.killpg", (0, signal.SIGTERM)),
        ("os.kill", (2**22 + 1, signal.SIGTERM)),
        ("import", ("os",)),
    ],
)
def test_what_stays_inside_is_let_through(inside: Path, event: str, arguments: tuple[object, ...]) -> None:
    Fence(inside).hear(event, arguments)


@pytest.mark.parametrize(
    ("event", "arguments", "what"),
    [
        ("open", ("../inside-out", "w", WRITE), "inside-out"),
        ("open", (Path("../new"), None, os.O_RDWR), "new"),
        ("os.remove", ("../inside-out", -1), "inside-out"),
        ("os.remove", ("inside-out", 10**6), "/nowhere/inside-out"),
        ("os.rename", ("mine", "../yours", -1, -1), "yours"),
        ("os.link", ("../inside-out", "mine", -1, -1), "inside-out"),
        ("os.rmdir", ("../inside-out/", -1), "inside-out"),
        ("os.chmod", ("/", 0, -1), "change /:"),
        ("os.truncate", ("../inside-out", 0), "inside-out"),
        ("sqlite3.connect", ("../new.db",), "new.db"),
        ("subprocess.Popen", ("rm", ["rm"], None, None), "start a program"),
        ("os.kill", (-1, signal.SIGTERM), "process -1"),
        ("os.kill", (os.getppid(), signal.SIGTERM), "send a signal"),
    ],
)
def test_what_leads_outside_is_refused(
    inside: Path, event: str, arguments: tuple[object, ...], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getsid", lambda process: process)

    with pytest.raises(PermissionError, match=what):
        Fence(inside).hear(event, arguments)


def test_link_inside_that_leads_outside_is_outside_to_those_who_write_through_it_alone(inside: Path) -> None:
    (inside / "link").symlink_to("../inside-out")
    fence = Fence(inside)

    fence.hear("os.remove", ("link", -1))
    with pytest.raises(PermissionError, match="inside-out"):
        fence.hear("open", ("link", "w", WRITE))


def test_name_in_an_open_directory_is_where_that_directory_is(inside: Path) -> None:
    directory = os.open("..", os.O_RDONLY)
    try:
        with pytest.raises(PermissionError, match="inside-out"):
            Fence(inside).hear("os.remove", ("inside-out", directory))
    finally:
        os.close(directory)


def test_further_places_are_named_by_a_variable(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(inside.parent))

    Fence(inside).hear("open", ("../inside-out", "w", WRITE))
