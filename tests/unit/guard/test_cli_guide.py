"""The programs of the guide and of the examples do what is said of them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from racehound.guard import Lock
from racehound.guard.cli import Call, Flags
from servers import redis_server

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "guide" / "safe-command-line-tools.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
PROGRAMS = [block for block in BLOCKS if "__main__" in block]
WITHOUT_SESSIONS = ROOT / "examples" / "tools" / "shelf_without_sessions.py"
WITH_SESSIONS = ROOT / "examples" / "tools" / "shelf.py"

Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    environment = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}

    def call(*arguments: str | Path) -> tuple[int, Any]:
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, json.loads(done.stdout)

    return call


@pytest.mark.parametrize("code", BLOCKS)
def test_code_of_the_guide_compiles(code: str) -> None:
    compile(code, "guide", "exec")


def names_of(*, containing: str) -> dict[str, Any]:
    (code,) = (block for block in BLOCKS if containing in block)
    names: dict[str, Any] = {}
    exec(compile(code, "guide", "exec"), names)  # noqa: S102 - our own guide
    return names


def test_counter_of_the_guide_counts(tmp_path: Path) -> None:
    call = Call("mytool", Flags(), {"HOME": str(tmp_path)})
    count = names_of(containing="def count")["count"]

    assert [count(call)["runs"] for _ in range(3)] == [1, 2, 3]


def test_runner_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path / "locks"))
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "--quiet"], check=True)
    (tmp_path / "file").touch()

    assert names_of(containing="def add")["add"]("file") == (0, b"", [0])


@pytest.mark.slow
def test_deployment_of_the_guide_works_on_a_real_server(monkeypatch: pytest.MonkeyPatch) -> None:
    names = names_of(containing="def deploy")
    published: list[int] = []

    def publish(token: int) -> None:
        published.append(token)

    with redis_server() as server:
        store = names["RedisStore"](server.url)
        monkeypatch.setitem(names, "RedisStore", lambda _: store)
        monkeypatch.setitem(names, "publish", publish)
        names["deploy"]()
        names["deploy"]()
        release = store.config("settings").get("release")

    assert release == "2.1"
    assert published == sorted(set(published))
    assert len(published) == 2


@pytest.mark.parametrize("code", PROGRAMS, ids=["argparse", "click", "typer"])
def test_program_of_the_guide_works(run: Run, tmp_path: Path, code: str) -> None:
    if "import typer" in code:
        pytest.importorskip("typer", reason="typer is not installed")
    program = tmp_path / "mytool.py"
    program.write_text(code)

    status, answer = run(program, "a.b", "1", "--session-id", "s1")

    assert (status, answer["data"]) == (0, {"key": "a.b", "effect": "updated"})
    assert json.loads((tmp_path / ".mytool" / "settings.json").read_text()) == {"a": {"b": "1"}}


@pytest.mark.parametrize("code", PROGRAMS, ids=["argparse", "click", "typer"])
def test_author_adds_fewer_than_ten_lines(code: str) -> None:
    added = [line for line in code.splitlines() if re.search(r"racehound|\btool\b|\bcall\b", line)]

    assert len(added) < 10


def test_example_at_score_2_refuses_with_a_hint_and_has_no_sessions(run: Run, tmp_path: Path) -> None:
    assert run(WITHOUT_SESSIONS, "put", "color", "blue")[0] == 0
    assert run(WITHOUT_SESSIONS, "list") == (0, {"color": "blue"})
    exports = {run(WITHOUT_SESSIONS, "export")[1]["path"] for _ in range(2)}
    with Lock(tmp_path / ".shelf-without-sessions" / "shelf.lock"):
        status, answer = run(WITHOUT_SESSIONS, "--lock-timeout", "0", "list")

    assert len(exports) == 1
    assert (status, answer["error"]["code"]) == (4, "LOCK_HELD")
    assert answer["error"]["retry_after_ms"] > 0


def test_example_at_score_3_refuses_with_a_hint_and_keeps_sessions_apart(run: Run, tmp_path: Path) -> None:
    assert run(WITH_SESSIONS, "put", "color", "blue")[0] == 0
    assert run(WITH_SESSIONS, "list")[1]["data"] == {"color": "blue"}
    exports = [Path(run(WITH_SESSIONS, "export", "--session-id", name)[1]["data"]["path"]) for name in ("a", "b")]
    with Lock(tmp_path / ".shelf" / "build.lock"):
        status, answer = run(WITH_SESSIONS, "build", "--lock-timeout", "0")

    assert [json.loads(path.read_text()) for path in exports] == [{"color": "blue"}] * 2
    assert exports[0] != exports[1]
    assert (status, answer["error"]["code"]) == (4, "LOCK_HELD")
    assert run(WITH_SESSIONS, "build")[1]["data"] == {"entries": 1}
