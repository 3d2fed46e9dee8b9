"""`racehound prove TARGET`: race a class or a function without a finding to start from."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

from pathlib import Path

import click

from racehound.cli import exits
from racehound.cli.clock import begun
from racehound.cli.proofs import get_ready, proof_options, publish
from racehound.cli.seconds import Seconds
from racehound.cli.terminal import check_output, note, save
from racehound.errors import UsageError

HINT = "say with --setup EXPR how the subject is made, or with --op EXPR what to call"
IMPORT_HINT = "make sure that this Python can import it"


@click.command(name="prove", short_help="Race a class or function until an interleaving breaks it.")
@click.argument("target", metavar="TARGET")
@click.option("--setup", metavar="EXPR", help="Makes the subject; may use the names of its module.")
@click.option("--op", "operations", multiple=True, metavar="EXPR", help="One task's call, on `subject`; repeat.")
@click.option("--invariant", metavar="EXPR", help="A condition on `subject` that must hold when all are done.")
@click.option(
    "--budget",
    type=Seconds(),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for the search.",
)
@click.option("--strategy", metavar="NAME", default="portfolio", show_default=True, help="How to search.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Where the strategy leaves something to chance."
)
@click.option("--write-test", metavar="FILE", help="Write a pytest test that fails as long as the race is there.")
@proof_options
@click.option("--strict", is_flag=True, help="Exit with 4 unless the verdict is race or safe.")
def command(  # noqa: PLR0913 - one argument for each option
    *,
    target: str,
    setup: str | None,
    operations: tuple[str, ...],
    invariant: str | None,
    budget: float,
    strategy: str,
    seed: int,
    write_test: str | None,
    form: str,
    output: str | None,
    confirm: bool,
    strict: bool,
) -> int:
    """Race the operations of TARGET: path.py::Name, package.module:Name or findings.json::FINGERPRINT.

    A class is constructed and its methods are called with arguments made up from type hints, defaults and names;
    for a function the globals of its module are the state. For a finding that hunt has written as JSON, the two
    operations are raced first. The code runs in a child process with limited time and memory.
    """
    from racehound.model.proof import Verdict
    from racehound.pipeline.confirm import confirmed
    from racehound.pipeline.prove import prove_target
    from racehound.scenario.regression import placed
    from racehound.strategies.registry import Choice

    for path in (write_test, output):
        check_output(path)
    proof = prove_target(
        target,
        budget=budget,
        setup=setup,
        operations=operations,
        invariant=invariant,
        choice=Choice(strategy, seed),
        begun=begun(),
        meanwhile=lambda: get_ready(form),
    )
    if proof.oracle == "harness":
        raise UsageError(proof.reason, hint=_hint(proof.reason))
    if confirm:
        proof = confirmed(proof)
    publish(proof, form, output)
    if proof.verdict is Verdict.RACE:
        if write_test is not None:
            save(write_test, placed(proof.test, Path(write_test)))
            note(f"wrote {write_test}")
        return exits.FINDINGS
    return exits.INCONCLUSIVE if strict and proof.verdict is not Verdict.SAFE else exits.NOTHING


def _hint(reason: str) -> str:
    """What would help, unless the reason says so itself."""
    if "import" in reason:
        return IMPORT_HINT
    return "" if "; " in reason else HINT
