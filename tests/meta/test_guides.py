"""What the guides show can be typed as it stands: commands, settings and code."""

import re
import shlex
import textwrap
import tomllib
from pathlib import Path

import click
import pytest

from racehound.analysis.program import Program
from racehound.cli.main import racehound
from racehound.config.settings import READINGS
from racehound.rules.registry import all_rules
from racehound.source.module import SourceModule

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
COMMAND = re.compile(r"^(?:    |\$ )(?:.* \| )?racehound +(.+)$", re.MULTILINE)
COMMANDS = sorted({line for page in PAGES for line in COMMAND.findall(page.read_text("utf-8"))})
OWN_TESTS = {
    "circuit-breaker.md": "test_breaker_guide.py",
    "parallel-strategies.md": "test_executor_guide.py",
    "safe-command-line-tools.md": "test_cli_guide.py",
    "migrating-from-filelock.md": "test_guard_migration.py",
}
"""Guides whose blocks are run by a test of their own, which knows what stands around them."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def test_there_are_commands_to_look_at() -> None:
    assert len(COMMANDS) > 20


@pytest.mark.parametrize("line", COMMANDS)
def test_command_can_be_typed(line: str) -> None:
    name, *arguments = shlex.split(line, comments=True)
    command = racehound.commands.get(name) or racehound.get_command(click.Context(racehound), name)

    assert command is not None
    command.make_context(name, arguments, resilient_parsing=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_a_page_is_run(page: Path) -> None:
    own = OWN_TESTS.get(page.name)
    if own is not None:
        assert page.name in (ROOT / "tests" / "unit" / "guard" / own).read_text("utf-8")
        return
    for text in blocks(page, "python"):
        names: dict[str, object] = {"__name__": "shown"}
        exec(compile(text, page.name, "exec"), names)  # noqa: S102 - our own pages
        for item in [item for item in names.values() if getattr(item, "__module__", "") == "shown"]:
            assert not isinstance(item, type) or item()


def test_declared_fields_of_the_guide_are_understood() -> None:
    (text,) = blocks(ROOT / "docs" / "guide" / "hunt.md", "python")
    uses = "\n    def count(self):\n        self._count += 1\n        self._seen += 1\n        self._last += 1\n"
    program = Program.of(SourceModule.from_text(f"{text}{uses}", "stock.py"))

    found = [finding for rule in all_rules() for finding in rule.check(program)]
    assert {finding.subject.fields for finding in found if finding.confidence.is_shown} == {("_count",)}
    assert "RH115" in {finding.rule for finding in found}


@pytest.mark.parametrize("text", blocks(ROOT / "docs" / "guide" / "configuration.md", "toml"))
def test_settings_of_the_guide_exist(text: str) -> None:
    settings = tomllib.loads(text)["tool"]["racehound"]

    assert settings
    assert settings.keys() <= READINGS.keys()


def test_every_setting_is_in_the_guide() -> None:
    table = (ROOT / "docs" / "guide" / "configuration.md").read_text("utf-8")

    assert [name for name in READINGS if f"`{name}`" not in table] == []


def test_test_of_the_guide_can_be_read() -> None:
    page = (ROOT / "docs" / "guide" / "prove.md").read_text("utf-8")
    shown = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page, re.MULTILINE)
    tests = [textwrap.dedent(text) for text in shown if "def test_" in text]

    assert len(tests) == 2
    assert all(compile(text, "prove.md", "exec") for text in tests)
