"""`racehound explain CODE`: the page of a rule, or the rules of a group."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import click

from racehound.cli.terminal import show, terminal


@click.command(name="explain", short_help="Explain a rule.")
@click.argument("code")
def command(code: str) -> None:
    """Show what a rule accuses, why it breaks only sometimes, and what to do.

    CODE may be a name, too; of a group or the beginning of codes, the rules are listed. `certain`, `likely` and
    `possible` show what keeps findings from being surer.
    """
    from racehound.model.finding import Confidence
    from racehound.reporters.pages import rendered
    from racehound.reporters.rules import table
    from racehound.rules.confidence_page import confidence_page
    from racehound.rules.pages import page, text_of
    from racehound.rules.selection import rules_of

    place = terminal()
    if code.strip().lower() in {*Confidence, "confidence"}:
        show(rendered(confidence_page(), width=place.width, color=place.color))
        return
    rules = rules_of(code)
    if len(rules) == 1:
        show(rendered(page(rules[0]), width=place.width, color=place.color))
    else:
        show(table([text_of(rule) for rule in rules], width=place.width, color=place.color))
