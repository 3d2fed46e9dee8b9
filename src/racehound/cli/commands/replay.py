"""`racehound replay TOKEN`: the schedule of a proof, once more."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import re
from pathlib import Path

import click

from racehound.cli import exits
from racehound.cli.proofs import proof_options, publish
from racehound.cli.terminal import check_output, show, terminal
from racehound.errors import UsageError

TOKEN = re.compile(r"rh1-[\w-]+")


@click.command(name="replay", short_help="Run the interleaving of a proof again.")
@click.argument("token", metavar="TOKEN|FILE")
@proof_options
def command(*, token: str, form: str, output: str | None, confirm: bool) -> int:
    """Run the interleaving that a token stands for, on the code as it is now, and show what happens.

    A file is searched for its first token: a saved report or a generated test will do.
    """
    from racehound.audit.tokens import is_audit_token
    from racehound.model.proof import Verdict
    from racehound.pipeline.confirm import confirmed
    from racehound.pipeline.prove import replay_token

    check_output(output)
    text = _token(token)
    if is_audit_token(text):
        return _replay_audit(text)
    proof = replay_token(text)
    if confirm:
        proof = confirmed(proof)
    publish(proof, form, output)
    return exits.FINDINGS if proof.verdict is Verdict.RACE else exits.NOTHING


def _replay_audit(token: str) -> int:
    """The schedule of two commands, in a sandbox as in the audit."""
    from racehound.audit.replaying import replay
    from racehound.reporters.audit_text import render_violation

    replayed = replay(token)
    place = terminal()
    if replayed.violation is None:
        how = "the other call is refused and leaves nothing" if replayed.refused else "as one after the other"
        show(f"no violation: {replayed.point}: {how}\n")
        return exits.NOTHING
    show(render_violation(replayed.violation, width=place.width, color=place.color))
    return exits.FINDINGS


def _token(argument: str) -> str:
    path = Path(argument)
    if argument.startswith("rh1-") or not path.is_file():
        return argument
    found = TOKEN.search(path.read_text(encoding="utf-8", errors="replace"))
    if found is None:
        raise UsageError(f"{argument} holds no token", hint="name a report, a test or a token that racehound made")
    return found.group()
