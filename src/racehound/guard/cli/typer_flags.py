from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

import typer

from racehound.guard.cli.flags import HELP, option, take_flags

if TYPE_CHECKING:
    from collections.abc import Callable

    from racehound.guard.cli.tool import Tool

_PASSING = (typer.Exit, typer.Abort, typer.BadParameter)


def guarded(tool: Tool, function: Callable[..., object]) -> Callable[..., None]:
    @functools.wraps(function)
    def wrapper(**values: Any) -> None:
        flags = take_flags(values)
        raise typer.Exit(tool.run_passing(_PASSING, flags, lambda call: function(call, **values)))

    # typer reads parameters and their types from the signature: ours has the flags and not the call.
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    signature = inspect.Signature([*own, *_parameters()])
    wrapper.__signature__ = signature  # type: ignore[attr-defined] # functions have it, mypy does not know
    wrapper.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return wrapper


def _parameters() -> list[inspect.Parameter]:
    return [
        _parameter("session_id", str | None, typer.Option(None, option("session_id"), help=HELP["session_id"])),
        _parameter("instance_id", str | None, typer.Option(None, option("instance_id"), help=HELP["instance_id"])),
        _parameter(
            "lock_timeout",
            float | None,
            typer.Option(None, option("lock_timeout"), min=0, help=HELP["lock_timeout"]),
        ),
        _parameter("force_unlock", bool, typer.Option(False, option("force_unlock"), help=HELP["force_unlock"])),
        _parameter("json", bool | None, typer.Option(None, f"{option('json')}/--no-json", help=HELP["json"])),
    ]


def _parameter(name: str, annotation: object, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
