"""How tools that know nothing of `LOCK_HELD` say that somebody else is at work.

An entry is here because the refused command was seen to leave no effect behind, so that running it
again is the same as running it later. That is a property of the command, not of the message: git
prints the same sentence from `git add`, which has done nothing yet, and from the middle of a rebase.
Every entry therefore names the commands it holds for, and a shell line made of several commands
never matches, because its program is the shell.

The messages are those of the C locale. A translated one is not recognised and passed through.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

LOCK_HELD = "LOCK_HELD"
CONCURRENT_MODIFICATION = "CONCURRENT_MODIFICATION"


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyError:
    tool: str
    exit_status: int
    message: re.Pattern[str]
    is_safe: Callable[[Sequence[str]], bool]  # given the arguments after the program
    code: str = LOCK_HELD


def legacy_error(argv: Sequence[str], exit_status: int, stderr: str) -> LegacyError | None:
    """The entry for this failure, or None where running again is not known to be safe."""
    tool = PurePath(argv[0]).name
    for entry in LEGACY_ERRORS:
        if entry.tool == tool and entry.exit_status == exit_status and entry.message.search(stderr):
            return entry if entry.is_safe(argv[1:]) else None
    return None


def _always(arguments: Sequence[str]) -> bool:
    del arguments
    return True


def _one_of(*commands: str, options_with_value: Sequence[str] = ()) -> Callable[[Sequence[str]], bool]:
    """The leading words of the arguments, global options left out, are one of these commands."""
    known = [tuple(command.split()) for command in commands]

    def is_safe(arguments: Sequence[str]) -> bool:
        words = tuple(_words(arguments, options_with_value))
        return any(words[: len(command)] == command for command in known)

    return is_safe


def _words(arguments: Sequence[str], options_with_value: Sequence[str]) -> list[str]:
    words: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        if argument in options_with_value:
            next(remaining, None)
        elif not argument.startswith("-"):
            words.append(argument)
    return words


_GIT_OPTIONS = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env")
# All of these take the index lock before they touch anything.
_git_index = _one_of(
    "add", "rm", "mv", "commit", "reset", "restore", "update-index", options_with_value=_GIT_OPTIONS
)
_git_config = _one_of("config", options_with_value=_GIT_OPTIONS)
_git_ref = _one_of("commit", "tag", "update-ref", options_with_value=_GIT_OPTIONS)


def _git_ref_without_amend(arguments: Sequence[str]) -> bool:
    # The ref moved because somebody committed: amending now would rewrite that commit.
    return _git_ref(arguments) and not any("--amend".startswith(a) for a in arguments if len(a) > 3)


def _single_sql_statement(arguments: Sequence[str]) -> bool:
    # Of several statements the first ones may have been committed before the lock was met.
    words = _words(arguments, ("-cmd", "-init", "-separator", "-newline", "-nullvalue", "-vfs"))
    return "-cmd" not in arguments and len(words) == 2 and ";" not in words[1].rstrip().rstrip(";")


LEGACY_ERRORS = (
    LegacyError(
        tool="git",
        exit_status=128,
        message=re.compile(r"cannot lock ref '"),
        is_safe=_git_ref_without_amend,
    ),
    LegacyError(
        tool="git",
        exit_status=128,
        message=re.compile(r"Unable to create '.*index\.lock': File exists"),
        is_safe=_git_index,
    ),
    LegacyError(
        tool="git",
        exit_status=255,
        message=re.compile(r"could not lock config file .*: File exists"),
        is_safe=_git_config,
    ),
    LegacyError(
        tool="dpkg",
        exit_status=2,
        message=re.compile(r"locked by another process with pid \d+"),
        is_safe=_always,
    ),
    LegacyError(
        tool="hg",
        exit_status=255,
        message=re.compile(r"timed out waiting for lock held by"),
        is_safe=_one_of(
            *("add", "addremove", "bookmark", "branch", "commit", "forget", "remove", "rename", "tag"),
            options_with_value=("-R", "--repository", "--cwd", "--config"),
        ),
    ),
    LegacyError(
        tool="sqlite3",
        exit_status=5,
        message=re.compile(r"database is locked"),
        is_safe=_single_sql_statement,
    ),
    LegacyError(
        tool="terraform",
        exit_status=1,
        message=re.compile(r"Error acquiring the state lock"),
        is_safe=_one_of(
            "apply", "destroy", "import", "plan", "refresh", "taint", "untaint", "state mv", "state rm"
        ),
    ),
    LegacyError(
        tool="go",
        exit_status=1,
        message=re.compile(r"changed during editing; not overwriting"),
        is_safe=_one_of("mod edit", "work edit", options_with_value=("-C",)),
        code=CONCURRENT_MODIFICATION,
    ),
)
