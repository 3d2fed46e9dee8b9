"""Options and output that `prove` and `replay` share."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from racehound.cli.terminal import save, show, terminal

if TYPE_CHECKING:
    from racehound.model.proof import Proof

FORMATS = ("text", "markdown", "json", "html", "svg")

Command = TypeVar("Command", bound=Callable[..., object])


def proof_options(command: Command) -> Command:
    """`--format`, `--output` and `--confirm`."""
    confirm = click.option(
        "--confirm",
        is_flag=True,
        help="Run a race again on free threads of the plain interpreter, held as it needs.",
    )
    output = click.option("--output", metavar="FILE", help="Write the proof to a file.")
    form = click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
    return form(output(confirm(command)))


def get_ready(form: str) -> None:
    """Load what shows a proof while it is made: afterwards its time is over."""
    if form == "text":
        import racehound.reporters.text
    else:
        import racehound.reporters.proofs  # noqa: F401 - likewise


def publish(proof: "Proof", form: str, output: str | None) -> None:
    text = _rendered(proof, form, to_file=output is not None)
    if output is None:
        show(text)
    else:
        save(output, text)


def _rendered(proof: "Proof", form: str, *, to_file: bool) -> str:
    if form == "text":
        from racehound.reporters.text import render_proof

        if to_file:
            return render_proof(proof)
        place = terminal()
        return render_proof(proof, width=place.width, color=place.color)
    from racehound.reporters.proofs import RENDERERS

    return RENDERERS[form](proof)
