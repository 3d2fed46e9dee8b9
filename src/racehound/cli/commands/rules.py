"""`racehound rules`: what can be found."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import click

from racehound.cli.terminal import show, terminal


@click.command(name="rules", short_help="List the rules.")
@click.option("--select", multiple=True, metavar="RULES", help="Only these, as for `hunt`; commas separate.")
@click.option("--format", "format_name", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(select: tuple[str, ...], format_name: str) -> None:
    """List the rules with their codes, names, groups and what they accuse."""
    from racehound.reporters.rules import as_json, table
    from racehound.rules.pages import text_of
    from racehound.rules.selection import selected

    wanted = [code for value in select for code in value.split(",") if code.strip()]
    rules = [text_of(rule) for rule in selected(wanted)]
    if format_name == "json":
        show(as_json(rules))
        return
    place = terminal()
    show(table(rules, width=place.width, color=place.color))
