"""`racehound hunt`: findings, and on request their proofs, their patches and the proofs of the patches."""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from racehound.cli import exits
from racehound.cli.hunt_options import Given, Options, check, options_of, settings_of
from racehound.cli.outputs import check_target, publish
from racehound.cli.seconds import Seconds
from racehound.cli.terminal import check_here, counting, note, patience
from racehound.config.settings import CONFIDENCES, MOST_JOBS
from racehound.reporters.registry import DETAILED, FORMATS

if TYPE_CHECKING:
    from racehound.errors import UsageError
    from racehound.model.finding import Finding
    from racehound.model.report import Case, Report
    from racehound.pipeline.inquiry import Answers
    from racehound.pipeline.proofs import Prove

NAMELESS = "stdin.py"


@click.command(name="hunt", short_help="Find races; prove, patch and fix them on request.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--prove/--no-prove", default=None, help="Run each finding until an interleaving breaks it, or none is left."
)
@click.option("--fix", is_flag=True, help="Write the patches that are proven safe into the files.")
@click.option("--diff", is_flag=True, help="Show the patches and change nothing.")
@click.option(
    "--unsafe-fixes/--no-unsafe-fixes",
    default=None,
    help="With --fix: write also what is graded unsafe, if proven safe.",
)
@click.option("--budget", type=Seconds(), metavar="SECONDS", help="Time for all proofs together.  [default: 60]")
@click.option("--format", type=click.Choice(list(FORMATS)), help="Format of the report.  [default: text]")
@click.option("--output", metavar="FILE", help="Write the report to a file; markdown can fill a directory.")
@click.option("--statistics/--no-statistics", default=None, help="Count findings by rule and proofs by verdict.")
@click.option("--checklist/--no-checklist", default=None, help="Answer the questions of an audit, one by one.")
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Only these rules: codes, beginnings of codes, names, groups, ALL; commas separate.",
)
@click.option("--ignore", multiple=True, metavar="RULES", help="Not these rules.")
@click.option("--extend-select", multiple=True, metavar="RULES", help="Add these rules to the selected ones.")
@click.option("--extend-ignore", multiple=True, metavar="RULES", help="Add these rules to the ignored ones.")
@click.option("--confidence", type=click.Choice(CONFIDENCES), help="The least to report.  [default: likely]")
@click.option("--baseline", metavar="FILE", help="Report only what is not in this file.")
@click.option("--write-baseline", is_flag=True, help="Write all findings into the baseline.")
@click.option("--update-baseline", is_flag=True, help="Take out of the baseline what is gone.")
@click.option("--strict/--no-strict", default=None, help="Exit with 4 where a file could not be analysed.")
@click.option(
    "--strict-suppressions/--no-strict-suppressions",
    default=None,
    help="Fail on comments that silence nothing.",
)
@click.option("--exclude", multiple=True, metavar="PATTERNS", help="Leave these out, instead of the usual ones.")
@click.option("--extend-exclude", multiple=True, metavar="PATTERNS", help="Leave these out as well.")
@click.option("--force-exclude/--no-force-exclude", default=None, help="Leave out also what is named.")
@click.option("--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what git ignores.")
@click.option("--stdin-filename", metavar="NAME", help="What to call the source on standard input (path -).")
@click.option("--config", metavar="FILE", help="Take the settings from this file.")
@click.option("--isolated", is_flag=True, help="Take no settings from any file.")
@click.option("--no-cache", is_flag=True, help="Read every file anew, and remember nothing.")
@click.option("--cache-dir", metavar="DIRECTORY", help="Remember answers there.  [default: .racehound_cache]")
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    metavar="N",
    help="Processes that read.  [default: by cores]",
)
@click.option("--seed", type=int, help="Where a search leaves something to chance.  [default: 0]")
def command(**values: object) -> int:
    """Hunt for races in files and directories (the current one by default), without running them.

    The code is run only by --prove and --fix, in a child process with limited time and memory. Settings come from
    [tool.racehound] in the nearest pyproject.toml, or from racehound.toml; the command line overrides them.
    """
    check_here()
    given = Given(**values)  # type: ignore[arg-type]  # click has checked each value by its option
    settings = settings_of(given)
    options = options_of(given, settings)
    check(options)
    if settings.prove and not options.prove and given.prove is None and not options.reads_standard_input:
        note(f"{settings.source} asks for proofs, which run code, and is no file of this project; --prove does it")
    check_target(options.output, options.format)
    complaints = _complaints(options)
    options = replace(options, paths=tuple(path for path in options.paths if path not in complaints))
    answers, report = _investigate(options)
    for item in (*complaints.values(), *report.diagnostics):
        note(str(item))
    if not report.statistics.files and not complaints:
        note("no Python files were found")
    publish(report, format_name=options.format, output=options.output, statistics=options.statistics)
    _tell_of_baseline(answers, options)
    if given.fix:
        _write(report.cases, options)
    return exits.USAGE if complaints else _status(report, options)


def _status(report: "Report", options: Options) -> int:
    from racehound.model.report import DEFECT, INVALID, MISDECLARED, UNREADABLE, UNUSED

    kinds = {item.kind for item in report.diagnostics}
    if DEFECT in kinds:
        return exits.INTERNAL
    if report.cases or (options.strict_suppressions and kinds & {UNUSED, INVALID, MISDECLARED}):
        return exits.FINDINGS
    return exits.INCONCLUSIVE if options.strict and UNREADABLE in kinds else exits.NOTHING


def _complaints(options: Options) -> "dict[str, UsageError]":
    """What is wrong with some of the paths; where it is all of them, there is nothing to go on with."""
    from racehound.source.discover import complaints

    if options.reads_standard_input:
        return {}
    found = complaints(options.paths)
    if found and len(found) == len(set(options.paths)):
        raise next(iter(found.values()))
    return found


def _investigate(options: Options) -> "tuple[Answers, Report]":
    from racehound.model.finding import Confidence
    from racehound.pipeline.inquiry import Inquiry, inquire
    from racehound.pipeline.report import assemble, in_detail

    text = _typed() if options.reads_standard_input else None
    name = options.given.stdin_filename or NAMELESS
    inquiry = Inquiry(
        paths=options.paths if text is None else (name,),
        select=options.select,
        ignore=options.ignore,
        confidence=Confidence(options.confidence),
        selection=options.selection,
        per_file_ignores=options.per_file_ignores,
        root=options.root,
        baseline=options.baseline,
        write_baseline=options.given.write_baseline,
        update_baseline=options.given.update_baseline,
        checklist=options.checklist,
        text=text,
        cache=options.cache,
        jobs=options.jobs,
        is_lenient=not os.environ.get("RACEHOUND_DEBUG"),
    )
    with patience() as progress:
        answers = inquire(inquiry, progress)
    cases = _pursue(answers.findings, options)
    report = assemble(cases, diagnostics=answers.diagnostics, statistics=answers.statistics)
    report = replace(report, checklists=answers.checklists, known=answers.known)
    if options.format in DETAILED:
        report = in_detail(report, {} if text is None else {name: text.decode("utf-8", "replace")})
    return answers, report


def _typed() -> bytes:
    from racehound.errors import UsageError

    if sys.stdin is None:
        raise UsageError("there is no standard input to read", hint="name a file, or a pipe for -")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"cannot read standard input: {error.strerror or error}") from error


def _pursue(findings: "tuple[Finding, ...]", options: Options) -> "tuple[Case, ...]":
    from racehound.model.report import Case

    given = options.given
    cases = tuple(Case(finding=finding) for finding in findings)
    # A patch is never written unproven, so --fix proves even where nobody asked for it.
    if options.prove or given.fix:
        from racehound.pipeline.proofs import prove_all

        with counting("proving", len(findings)) as progress:
            prove = _prover(options, len(findings))
            cases = prove_all(findings, budget=options.budget, prove=prove, progress=progress)
    if given.fix or given.diff:
        from racehound.pipeline.fix import fix_all

        again = _prover(options, len(cases)) if options.prove or given.fix else None
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


def _tell_of_baseline(answers: "Answers", options: Options) -> None:
    if answers.written is not None:
        count = answers.written
        note(f"{options.baseline} now has {count} finding{'' if count == 1 else 's'}")


def _write(cases: "tuple[Case, ...]", options: Options) -> None:
    from racehound.pipeline.write import write_patches

    prove = _prover(options, len(cases))
    for writing in write_patches(cases, budget=options.budget, prove=prove, unsafe=options.unsafe_fixes):
        note(
            f"{writing.path}: {writing.reason}"
            if writing.written
            else f"{writing.path}: not written: {writing.reason}"
        )
