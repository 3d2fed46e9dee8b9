"""`racehound rules`: what can be found."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import click

from racehound.cli.terminal import show, terminal


@click.command(name="rules", short_help="List the rules.")
def command() -> None:
    """List the rules with their codes, names and what they accuse."""
    from racehound.reporters.rules import table
    from racehound.rules.registry import all_rules

    place = terminal()
    show(table([rule.meta for rule in all_rules()], width=place.width, color=place.color))
