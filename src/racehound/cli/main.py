"""The command `racehound`: finds its subcommands by file name and turns what goes wrong into one line."""

import difflib
import gc
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from racehound import __version__
from racehound.cli import commands, exits
from racehound.errors import RacehoundError


class LazyGroup(click.Group):
    """Imports a subcommand when it is asked for; `--version` pays for none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(f"{commands.__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - what a file of this package is for
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known)}"
            raise click.UsageError(f"no such command: {args[0]}; {hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="racehound")
@click.pass_context
def racehound(context: click.Context) -> None:
    """Find concurrency bugs, prove them by running the interleaving that breaks, fix them, prove the fix.

    \b
    Exit status: 0 nothing found, 1 findings or a race, 2 wrong usage,
    3 internal error, 4 not decided (with --strict), 130 interrupted.
    """  # noqa: D301 - click reads the mark that keeps these lines as they are
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run() -> int:
    """The entry point of the installed command."""
    # Without a stream, as after `>&-`, Python has None there.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - open to the end
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - likewise
    try:
        return main(sys.argv[1:])
    finally:
        gc.freeze()  # Python would search all that is left for cycles, just to give the memory back


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; a traceback is never the answer to bad input."""
    try:
        return _invoke(arguments)
    except (click.Abort, KeyboardInterrupt):
        return exits.INTERRUPTED
    except Exception as error:
        if os.environ.get("RACEHOUND_DEBUG"):
            raise
        return _apologise(error)


def _invoke(arguments: Sequence[str]) -> int:
    try:
        status = racehound.main(list(arguments), prog_name="racehound", standalone_mode=False)
    except click.ClickException as error:
        usage = _usage(error)
        return _complain(f"{error.format_message().rstrip('.')}; {usage}" if usage else error.format_message())
    except RacehoundError as error:
        return _complain(str(error))
    return status if isinstance(status, int) else exits.NOTHING


def _usage(error: click.ClickException) -> str:
    """How the command is used, where an argument is missing or one too many: the message says only that."""
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return ""
    is_named = isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)
    if is_named or (isinstance(error, click.NoSuchOption) and error.possibilities) or error.ctx.parent is None:
        return ""
    return f"{' '.join(error.ctx.get_usage().split()).replace('Usage:', 'usage:')} (--help tells more)"


def _complain(message: str) -> int:
    click.echo(f"racehound: {' '.join(message.split())}", err=True)
    return exits.USAGE


def _apologise(error: Exception) -> int:
    click.echo(
        f"racehound: internal error: {type(error).__name__}: {error}\n"
        "This is a defect of racehound. Please report it with the output of the same command run with"
        " RACEHOUND_DEBUG=1.",
        err=True,
    )
    return exits.INTERNAL
