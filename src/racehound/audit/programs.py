"""Programs that a person names from where they stand, for commands that run somewhere else."""

import os
import re
import shlex
from pathlib import Path

from racehound.processes.command import SHELL, Command

INTERPRETER = re.compile(r"(?:python|pypy|node|ruby|perl|bash|sh|dash|zsh|deno|bun)[\d.]*$")


def located(text: str, directory: Path) -> str:
    """The command with the path of its program, or of the script it interprets, made absolute.

    Nothing else is touched: a file that the command works on belongs to the sandbox, where it does not exist
    until the set-up makes it.
    """
    command = Command.parse(text)
    if command.argv[:2] == SHELL:
        return text
    words = list(command.argv)
    script = script_place(words, directory)
    for place in [0] if script is None else [0, script]:
        if ("/" in words[place] or place == script) and (directory / words[place]).is_file():
            words[place] = str(directory / words[place])
    return shlex.join(words) if words != list(command.argv) else text


def script_of(text: str) -> Path | None:
    """The file that holds the program, if it is one that can be read."""
    command = Command.parse(text)
    if command.argv[:2] == SHELL:
        return None
    words = list(command.argv)
    place = script_place(words, Path("/"))
    return Path(words[place]) if place is not None else _on_path(words[0])


def script_place(words: list[str], directory: Path) -> int | None:
    """Where among the words the program stands, if it is a file: the first, or the script of an interpreter."""
    if "/" in words[0] and not INTERPRETER.search(Path(words[0]).name):
        return 0 if (directory / words[0]).is_file() else None
    if INTERPRETER.search(Path(words[0]).name):
        named = next((index for index, word in enumerate(words) if index and not word.startswith("-")), None)
        if named is not None and words[1] not in {"-m", "-c"} and (directory / words[named]).is_file():
            return named
    return None


def _on_path(name: str) -> Path | None:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidate = Path(folder) / name
        if os.path.isfile(candidate):  # noqa: PTH113 - a directory that may not be looked into is no error
            return candidate
    return None
