"""A command-line tool that is safe to call in parallel: score 3 of the rubric.

    python shelf.py put color blue
    python shelf.py list
    python shelf.py export --session-id report-7
    python shelf.py build

All that it needs of racehound are the lines with `tool` and `call`.
"""

import json
import sys

import click

from racehound.guard import atomic_write
from racehound.guard.cli import Call, Tool

tool = Tool("shelf")


@click.group()
def shelf() -> None:
    """Keeps values under names."""


@shelf.command()
@click.argument("name")
@click.argument("value")
@tool.click
def put(call: Call, name: str, value: str) -> dict[str, str]:
    """Put a value on the shelf."""
    call.config("shelf.json").set([name], value)
    return {"name": name, "effect": "updated"}


@shelf.command("list")
@tool.click
def list_all(call: Call) -> object:
    """Show the shelf."""
    return call.config("shelf.json").read()


@shelf.command()
@tool.click
def export(call: Call) -> dict[str, str]:
    """Write the shelf to a file that belongs to this session alone."""
    path = call.temporary_path("export.json")
    atomic_write(path, json.dumps(call.config("shelf.json").read()))
    return {"path": path}


@shelf.command()
@click.option("--wait", is_flag=True, help="Hold the lock until standard input ends.")
@tool.click
def build(call: Call, *, wait: bool) -> dict[str, int]:
    """Do what must not happen twice at once."""
    with call.lock("build"):
        if wait:
            click.echo("building", err=True)
            sys.stdin.read()
        return {"entries": len(call.config("shelf.json").read())}


if __name__ == "__main__":
    shelf.main()
