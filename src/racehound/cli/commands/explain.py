"""`racehound explain CODE`: the page of a rule."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import click

from racehound.cli.terminal import show, terminal


@click.command(name="explain", short_help="Explain a rule.")
@click.argument("code")
def command(code: str) -> None:
    """Show what a rule accuses, why it breaks only sometimes, and what to do. CODE may be a name, too."""
    from racehound.reporters.pages import rendered
    from racehound.rules.pages import page
    from racehound.rules.registry import rule_named

    place = terminal()
    show(rendered(page(rule_named(code)), width=place.width, color=place.color))
