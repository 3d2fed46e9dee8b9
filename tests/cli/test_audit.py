"""`racehound audit` on real commands."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from drivers.command import ROOT, Run, is_one_clear_line, racehound

TOOLS = ROOT / "examples" / "tools"
JSON_TOOL = """
import json, os, sys

def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)

def put(path, key, value):
    config = load(path)
    config[key] = value
    with open(path, "w") as file:
        json.dump(config, file)

put("conf.json", sys.argv[1], sys.argv[2])
"""
RACY = {
    "sed": ("sed -i '$a k{i}' f", "echo base > f"),
    "shell": ('x=$(cat f); echo "$x k{i}" > f', "echo base > f"),
}
CLEAN = {
    "append": ("echo k{i} >> f", "echo base > f"),
    "git config": ("git config --global k{i}.x 1", "git config --global base.x 1"),
    "sqlite3": ("sqlite3 a.db 'insert into t values(\"k{i}\")'", "sqlite3 a.db 'create table t(k)'"),
}

# An audit runs its commands some hundred times, which takes its time on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def audit(*arguments: str, cwd: Path = ROOT) -> Run:
    return racehound("audit", "--format", "json", "--budget", "500", *arguments, cwd=cwd, seconds=590.0)


def raced(template: str, setup: str, *arguments: str) -> Run:
    """One pair of the template, which is what most tests need."""
    first, second = (template.replace("{i}", number) for number in "12")
    return audit("--setup", setup, "--a", first, "--b", second, *arguments)


@pytest.mark.parametrize("name", list(RACY))
def test_a_racy_command_is_found_within_five_schedules_and_replays(name: str) -> None:
    run = raced(*RACY[name], "--rounds", "5")

    assert run.status == 1, run
    assert run.data["score"] == 0
    first = run.data["violations"][0]
    assert first["schedule"] <= 5
    assert first["what"] == "lost update"
    assert any("k2" in lost for lost in first["lost"])
    replayed = racehound("replay", first["token"])
    assert replayed.status == 1, replayed
    assert "lost update" in replayed.output


@pytest.mark.parametrize("name", list(CLEAN))
def test_a_clean_command_is_not_accused(name: str) -> None:
    if name == "sqlite3" and shutil.which("sqlite3") is None:
        pytest.skip("needs the command sqlite3")
    run = raced(*CLEAN[name])

    assert run.data["violations"] == [], run
    assert run.data["score"] == 1
    assert run.data["schedules"] > 0


def test_a_lock_that_is_a_file_is_stuck_after_a_crash() -> None:
    run = raced(*CLEAN["git config"], "--rounds", "1")

    assert any(point["stuck"] for point in run.data["crash_points"])
    assert {check["id"]: check["passed"] for check in run.data["checks"]}["release"] is False


def test_a_python_tool_is_told_which_line_to_change(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(JSON_TOOL)

    run = audit("--rounds", "2", "--", sys.executable, "tool.py", "k{i}", "v{i}", cwd=tmp_path)

    assert run.data["violations"][0]["lost"] == ["work/conf.json: k2"], run
    assert any("tool.py:" in place for place in run.data["advice"][0]["places"])
    assert [path.name for path in tmp_path.iterdir()] == ["tool.py"]


@pytest.mark.usefixtures("unmeasured")
def test_the_example_without_sessions_scores_two() -> None:
    tool = f"{sys.executable} {TOOLS / 'shelf_without_sessions.py'} --lock-timeout 0.3 put k{{i}} v"

    run = raced(tool, tool.replace("{i}", "0"), "--patience", "3")

    assert run.data["score"] == 2, run
    assert run.status == 1


@pytest.mark.usefixtures("unmeasured")
def test_the_example_with_sessions_scores_three() -> None:
    tool = f"{sys.executable} {TOOLS / 'shelf.py'} put k{{i}} v --lock-timeout 0.3"

    run = raced(tool, tool.replace("{i}", "0"), "--patience", "3")

    assert run.data["score"] == 3, run
    assert run.status == 0


@pytest.mark.usefixtures("unmeasured")
def test_racehound_run_scores_three() -> None:
    options = "--lock x --lock-timeout 0.3 --json --session-id {session}"
    tool = f"{sys.executable} -m racehound run {options} -- touch k{{i}}"

    run = raced(tool, "true", "--patience", "2")

    assert run.data["score"] == 3, run
    assert run.data["waited"] > 0


@pytest.mark.usefixtures("unmeasured")
def test_racehound_hunt_with_a_baseline_scores_three(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("value = 1\n")
    first, second = (
        f"{sys.executable} -m racehound hunt {name} --no-cache --baseline base.json --write-baseline"
        for name in ("a.py", "b.py")
    )

    run = audit("--directory", str(tmp_path), "--a", first, "--b", second)

    assert run.data["score"] == 3, run
    assert run.data["crash_points"]


def test_text_shows_the_schedule_and_the_lost_key() -> None:
    template, setup = RACY["sed"]
    run = racehound("audit", "--rounds", "1", "--setup", setup, "--", template)

    assert run.status == 1
    assert "lost update: A before rename work/f #1" in run.output
    assert "score 0 of 3" in run.output


def test_a_report_can_be_written_to_a_file(tmp_path: Path) -> None:
    template, setup = RACY["sed"]
    path = tmp_path / "audit.md"
    run = racehound(
        "audit", "--rounds", "1", "--setup", setup, "--format", "markdown", "--output", path, "--", template
    )

    assert run.output == ""
    assert "| §15 | Race Conditions & Concurrency | High | 0/3 |" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "there is no command"),
        (("--a", "true"), "belong together"),
        (("--a", "true", "--b", "true", "--", "true"), "exclude each other"),
        (("--", "false"), "fails also when it runs alone"),
        (("--", "no-such-program-anywhere"), "no-such-program-anywhere"),
        (("--setup", "false", "--", "true"), "the set-up command `false` ended with 1"),
        (("--directory", "no-such-directory", "--", "true"), "is no directory"),
        (("--", "echo 'open"), "cannot be read as a command"),
    ],
)
def test_wrong_use_is_one_line_and_exit_two(arguments: tuple[str, ...], word: str) -> None:
    run = racehound("audit", *arguments)

    assert run.status == 2, run
    assert is_one_clear_line(run), run
    assert word in run.errors


def test_a_command_that_changes_nothing_is_not_accused() -> None:
    run = audit("--", "true")

    assert json.loads(run.output)["violations"] == []
    assert any("changed nothing that is compared" in note for note in run.data["notes"]), "perhaps it should have"
