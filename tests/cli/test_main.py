"""The command in this process: what it says, where it says it, how it ends."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from racehound.cli import commands, exits
from racehound.cli.main import main, racehound, run
from racehound.errors import HarnessError

COMMANDS = sorted(path.stem for path in Path(commands.__path__[0]).glob("[a-z]*.py"))


def test_bare_command_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == exits.NOTHING

    output = capsys.readouterr().out
    assert output.startswith("Usage: racehound")
    assert all(f"  {name} " in output for name in COMMANDS)


def test_entry_point_takes_the_arguments_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["racehound", "--version"])

    assert run() == exits.NOTHING
    assert capsys.readouterr().out.startswith("racehound, version 0.")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == exits.NOTHING

    assert capsys.readouterr().out.startswith(f"Usage: racehound {name}")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hnt"], "racehound: no such command: hnt; did you mean hunt?"),
        (["zzz"], f"racehound: no such command: zzz; the commands are {', '.join(COMMANDS)}"),
        (["--nope"], "racehound: No such option"),
        (["hunt", "--format", "yaml"], "racehound: Invalid value for '--format': 'yaml' is not one of"),
        (["hunt", "--budget", "0"], "racehound: Invalid value for '--budget': 0 is not a number of seconds"),
        (["prove", "x", "--budget", "soon"], "racehound: Invalid value for '--budget': soon is not a num"),
        (["prove"], "racehound: Missing argument 'TARGET'; usage: racehound prove [OPTIONS] TARGET (--h"),
        (["rules", "RH101"], "racehound: Got unexpected extra argument (RH101); usage: racehound rules"),
        (["rules", "--zzz"], "racehound: No such option '--zzz'; usage: racehound rules [OPTIONS]"),
        (["explain"], "racehound: Missing argument 'CODE'; usage: racehound explain"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_status_2(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == exits.USAGE

    captured = capsys.readouterr()
    assert captured.err.startswith(expected)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


class Trouble(click.Command):
    """A subcommand that fails as it is told."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("trouble")
        self._error = error

    def invoke(self, ctx: click.Context) -> None:
        raise self._error


def run_into(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(type(racehound), "get_command", lambda _group, _context, _name: Trouble(error))
    return main(["rules"])


def test_error_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    error = HarnessError("cannot import\nthis", hint="install it")

    assert run_into(error, monkeypatch) == exits.USAGE
    assert capsys.readouterr().err == "racehound: cannot import this; install it\n"


def test_interrupt_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_into(KeyboardInterrupt(), monkeypatch) == exits.INTERRUPTED


def test_interrupt_while_the_command_is_being_imported_is_status_130() -> None:
    code = (
        "import runpy, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "runpy.run_module('racehound', run_name='__main__')\n"
    )

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (exits.INTERRUPTED, "")


def test_defect_asks_for_a_report_and_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_into(ZeroDivisionError("division by zero"), monkeypatch) == exits.INTERNAL

    errors = capsys.readouterr().err
    assert "internal error: ZeroDivisionError: division by zero" in errors
    assert "report" in errors
    assert "Traceback" not in errors


def test_defect_is_raised_for_those_who_look_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_DEBUG", "1")

    with pytest.raises(ZeroDivisionError):
        run_into(ZeroDivisionError(), monkeypatch)


def test_completion_offers_the_commands_and_survives_an_unknown_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_RACEHOUND_COMPLETE", "bash_complete")
    for words, position in (("racehound hu", "1"), ("racehound zzz ", "2")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", position)
        with pytest.raises(SystemExit):
            main([])

    assert capsys.readouterr().out.splitlines()[0] == "plain,hunt"


@pytest.mark.slow
def test_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [sys.executable, "-m", "racehound", "rules"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    os.close(writing)

    assert done.returncode == exits.FINDINGS
    assert done.stderr == b""


def test_help_names_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])

    told = capsys.readouterr().out.partition("Exit status:")[2].partition("Options:")[0]
    statuses = {value for name, value in vars(exits).items() if name.isupper()}
    assert {int(number) for number in re.findall(r"\b\d+\b", told)} == statuses
