from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import click

from racehound.guard.cli.flags import HELP, option, take_flags

if TYPE_CHECKING:
    from collections.abc import Callable

    from racehound.guard.cli.tool import Tool

_PASSING = (click.ClickException, click.exceptions.Exit, click.Abort)


def guarded(tool: Tool, function: Callable[..., object]) -> Callable[..., None]:
    @functools.wraps(function)
    def wrapper(*arguments: object, **values: object) -> None:
        flags = take_flags(values)
        status = tool.run_passing(_PASSING, flags, lambda call: function(call, *arguments, **values))
        click.get_current_context().exit(status)

    return _with_options(wrapper)


def _with_options(wrapper: Callable[..., None]) -> Callable[..., None]:
    for decorate in (
        click.option(f"{option('json')}/--no-json", default=None, help=HELP["json"]),
        click.option(option("force_unlock"), is_flag=True, help=HELP["force_unlock"]),
        click.option(
            option("lock_timeout"), metavar="SECONDS", type=click.FloatRange(min=0), help=HELP["lock_timeout"]
        ),
        click.option(option("instance_id"), metavar="ID", help=HELP["instance_id"]),
        click.option(option("session_id"), metavar="ID", help=HELP["session_id"]),
    ):
        wrapper = decorate(wrapper)
    return wrapper
