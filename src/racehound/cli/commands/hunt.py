"""`racehound hunt`: findings, and on request their proofs, their patches and the proofs of the patches."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from racehound.cli import exits
from racehound.cli.seconds import Seconds
from racehound.cli.terminal import check_output, counting, note, save, show, terminal
from racehound.errors import UsageError
from racehound.reporters.registry import FORMATS, reporter

if TYPE_CHECKING:
    from racehound.model.finding import Finding
    from racehound.model.report import Case, Report
    from racehound.pipeline.proofs import Prove

CONFIDENCES = ("certain", "likely", "possible")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    paths: tuple[str, ...]
    prove: bool
    fix: bool
    diff: bool
    unsafe_fixes: bool
    format: str
    output: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    confidence: str
    statistics: bool
    budget: float
    seed: int


@click.command(name="hunt", short_help="Find races; prove, patch and fix them on request.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--prove", is_flag=True, help="Run each finding until an interleaving breaks it, or none is left.")
@click.option("--fix", is_flag=True, help="Write the patches that are proven safe into the files.")
@click.option("--diff", is_flag=True, help="Show the patches and change nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix: write also what is graded unsafe, if proven safe.")
@click.option("--format", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the report to a file.")
@click.option(
    "--select", multiple=True, metavar="CODES", help="Only these rules, by code or name; commas separate."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="All rules but these.")
@click.option(
    "--confidence", type=click.Choice(CONFIDENCES), default="likely", show_default=True, help="At least."
)
@click.option("--statistics", is_flag=True, help="Count findings by rule and proofs by verdict.")
@click.option("--no-cache", is_flag=True, expose_value=False, help="Read every file anew, as now is always done.")
@click.option(
    "--budget",
    type=Seconds(),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for all proofs together, and as much again for those of patches.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Where a search leaves something to chance.")
def command(**values: object) -> int:
    """Hunt for races in files and directories (the current one by default), without running them.

    The code is run only by --prove and --fix, in a child process with limited time and memory.
    """
    options = Options(**values)  # type: ignore[arg-type]  # click has checked each value by its option
    if options.fix and options.diff:
        raise UsageError("--fix and --diff exclude each other", hint="choose to write the patches or to see them")
    check_output(options.output)
    complaints = _complaints(options)
    report = _investigate(replace(options, paths=tuple(path for path in options.paths if path not in complaints)))
    for diagnostic in (*complaints.values(), *report.diagnostics):
        note(str(diagnostic))
    _publish(report, options)
    if options.fix:
        _write(report.cases, options)
    if complaints:
        return exits.USAGE
    return exits.FINDINGS if report.cases else exits.NOTHING


def _complaints(options: Options) -> "dict[str, UsageError]":
    """What is wrong with some of the paths; where it is all of them, there is nothing to go on with."""
    from racehound.source.discover import complaints

    found = complaints(options.paths)
    if found and len(found) == len(set(options.paths)):
        raise next(iter(found.values()))
    return found


def _investigate(options: Options) -> "Report":
    from racehound.model.finding import Confidence
    from racehound.pipeline.hunt import hunt
    from racehound.pipeline.report import assemble

    findings, diagnostics, statistics = hunt(
        options.paths or (".",),
        select=_codes(options.select),
        ignore=_codes(options.ignore),
        confidence=Confidence(options.confidence),
    )
    return assemble(_pursue(findings, options), diagnostics=diagnostics, statistics=statistics)


def _pursue(findings: "tuple[Finding, ...]", options: Options) -> "tuple[Case, ...]":
    from racehound.model.report import Case

    cases = tuple(Case(finding=finding) for finding in findings)
    # A patch is never written unproven, so --fix proves even where nobody asked for it.
    if options.prove or options.fix:
        from racehound.pipeline.proofs import prove_all

        with counting("proving", len(findings)) as progress:
            prove = _prover(options, len(findings))
            cases = prove_all(findings, budget=options.budget, prove=prove, progress=progress)
    if options.fix or options.diff:
        from racehound.pipeline.fix import fix_all

        again = _prover(options, len(cases)) if options.prove or options.fix else None
        with counting("patching", len(cases)) as progress:
            cases = fix_all(cases, budget=options.budget, prove=again, progress=progress)
    return cases


def _prover(options: Options, count: int) -> "Prove":
    """For so many findings, within the one budget."""
    from functools import partial

    from racehound.pipeline.prove import prove_finding
    from racehound.pipeline.sharing import SharedBudget
    from racehound.strategies.registry import Choice

    prove = partial(prove_finding, choice=Choice(seed=options.seed))
    return SharedBudget(prove, seconds=options.budget, count=count)


def _codes(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


def _publish(report: "Report", options: Options) -> None:
    from racehound.reporters.statistics import statistics

    if options.output:
        save(options.output, reporter(options.format)(report))
    elif options.format == "text":
        from racehound.reporters.text import render as render_text

        place = terminal()
        show(render_text(report, width=place.width, color=place.color))
    else:
        show(reporter(options.format)(report))
    if options.statistics and options.format != "json":
        show(statistics(report.statistics))


def _write(cases: "tuple[Case, ...]", options: Options) -> None:
    from racehound.pipeline.write import write_patches

    prove = _prover(options, len(cases))
    for writing in write_patches(cases, budget=options.budget, prove=prove, unsafe=options.unsafe_fixes):
        note(
            f"{writing.path}: {writing.reason}"
            if writing.written
            else f"{writing.path} not changed: {writing.reason}"
        )
