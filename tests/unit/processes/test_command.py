"""A command is started as it was written, by a shell only where one is needed."""

import pytest

from racehound.errors import UsageError
from racehound.processes.command import Command


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("git config --global k.x 1", ("git", "config", "--global", "k.x", "1")),
        ("sed -i '$a k1' f", ("sed", "-i", "$a k1", "f")),
        ('tool "two words" a\\ b', ("tool", "two words", "a b")),
        ("tool set k{i} user@host:a~b", ("tool", "set", "k{i}", "user@host:a~b")),
    ],
)
def test_plain_words_need_no_shell(text: str, argv: tuple[str, ...]) -> None:
    assert Command.parse(text).argv == argv


@pytest.mark.parametrize(
    "text",
    [
        "echo a >> f",
        "a && b",
        "a; b",
        "cat *.json",
        "echo $HOME",
        'echo "$HOME"',
        "echo `date`",
        "ls ~",
        "K=1 tool",
    ],
)
def test_what_only_a_shell_can_carry_out_is_given_to_one(text: str) -> None:
    command = Command.parse(text)

    assert command.argv == ("sh", "-c", text)
    assert str(command) == text


def test_the_text_of_a_command_can_be_pasted_into_a_shell() -> None:
    assert str(Command(("tool", "two words"))) == "tool 'two words'"


@pytest.mark.parametrize("text", ["", "   ", "tool 'open"])
def test_a_text_that_is_no_command_is_wrong_use(text: str) -> None:
    with pytest.raises(UsageError):
        Command.parse(text)
