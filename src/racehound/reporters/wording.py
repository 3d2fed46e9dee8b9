"""Sentences that more than one format says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import wrap

from racehound.model.patch import Patch, Safety
from racehound.model.proof import Outcome, Proof, ScenarioText, Step, Verdict
from racehound.model.report import UNREADABLE, Case, Diagnostic, Report
from racehound.reporters.folding import Gap, folded


@dataclass(frozen=True, slots=True)
class Row:
    """Operations that one task does on one line before anything else happens."""

    task: int
    place: str
    """The line, with the name of its file where there are several."""
    source: str
    operations: tuple[str, ...]
    switch: bool


def clip(text: str, length: int) -> str:
    """The text on one line, with its middle left out where it is too long."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    kept = length - 3
    return f"{flat[: kept - kept // 3].rstrip()} … {flat[len(flat) - kept // 3 :].lstrip()}"


def sorted_out(diagnostics: Sequence[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Files that could not be read, and the rest."""
    unread = [item for item in diagnostics if item.kind == UNREADABLE]
    return unread, [item for item in diagnostics if item.kind != UNREADABLE]


def rows(timeline: Sequence[Step], *, length: int) -> Iterator[Row]:
    """The timeline as it is drawn: a switch begins a new row; operations fit into `length`; loops are folded."""
    count = 0
    several = len({step.path for step in timeline}) > 1

    def key(step: Step | Gap) -> tuple[int, int, str]:
        nonlocal count
        if isinstance(step, Gap):
            return count, step.task, ""
        count += step.switch
        name = step.path.replace("\\", "/").rpartition("/")[2]
        return count, step.task, f"{name}:{step.line}" if several else str(step.line)

    for (_, task, place), group in groupby(folded(timeline), key):
        first, *more = group
        if isinstance(first, Gap):
            yield Row(task, "", f"⋮ {_count(first.rounds, 'more round')} of this loop", (), switch=False)
            continue
        steps = [first, *(step for step in more if isinstance(step, Step))]
        operations = tuple(line for step in steps for line in operation(step, length))
        yield Row(task, place, clip(first.source, 2 * length), operations, first.switch)


ARROWS = {"read": "→", "write": "←"}
TELLING = 12
"""As much of a value as is worth showing beside the name."""


def operation(step: Step, length: int) -> list[str]:
    """Lines no longer than `length`: the name stays whole, over several lines if it must; the value may be cut."""
    deed = " ".join(f"{step.operation} {step.target}".split())
    value = f"{ARROWS.get(step.operation, '·')} {step.value}" if step.value else ""
    room = length - len(deed) - 1
    if len(value) <= room or room >= TELLING:
        return [f"{deed} {clip(value, room)}".rstrip()]
    folded = wrap(deed, length, subsequent_indent="  ", break_on_hyphens=False)
    return [*folded, *([f"  {clip(value, length - 2)}"] if value else [])]


def outcome(item: Outcome, length: int) -> str:
    """Results, unless all are None, then the state they left."""
    told = any(result != "None" for result in item.results) or not item.state
    parts = [f"results {', '.join(item.results)}"] if told else []
    return clip("; ".join([*parts, f"state {item.state}"] if item.state else parts), length)


def complaint(proof: Proof) -> str:
    """What is wrong with the outcome of a race; an invariant has its say in the reason."""
    if proof.oracle == "invariant":
        return ""
    here = proof.outcome
    if here and any((each.results, each.state) == (here.results, here.state) for each in proof.serial):
        blocks = ", or not while both blocks are open" if _has_blocks(proof) else ""
        return f"   (values as in a serial order, but not the same objects{blocks}: no serial order gives this)"
    return "   (no serial order gives this)"


def _has_blocks(proof: Proof) -> bool:
    return proof.scenario is not None and any("(yield)" in call for task in proof.scenario.tasks for call in task)


_LEFT = r"(?:None, None, None|(?P<error>\w+), \w+\(\), None)"
_BLOCK = re.compile(
    r"\(\(block := (?P<manager>.*)\)\.__enter__\(\), (?:\(yield\)|None), "
    rf"block\.__exit__\({_LEFT}\)\)\[0\]"
)
_ASYNC_BLOCK = re.compile(
    r"\(await \(block := (?P<manager>.*)\)\.__aenter__\(\), (?:(?:\(yield\)|None), )?"
    rf"await block\.__aexit__\({_LEFT}\)\)\[0\]"
)


_TAKEN = re.compile(
    r"\(\(taken := (?P<await>(?:await )?)\(held := (?P<held>\w+(?:\[\d+\])?)\)\.(?P<taking>.*)\), "
    r"(?:\(yield\)|None), taken is False or (?P<given>(?:await )?)held\.(?P<giving>.*)\)\[0\]"
)


def spoken(call: str) -> str:
    """A call as a person writes it: what has to be one expression for the machine may be a `with` statement."""
    if taken := _TAKEN.fullmatch(call):
        held = taken["held"]
        return f"{taken['await']}{held}.{taken['taking']}; ...; {taken['given']}{held}.{taken['giving']}"
    block = _BLOCK.fullmatch(call) or _ASYNC_BLOCK.fullmatch(call)
    if block is None:
        return call
    inner = f"raise {block['error']}" if block["error"] else "..."
    return f"{'async ' if block.re is _ASYNC_BLOCK else ''}with {block['manager']}: {inner}"


def spoken_scenario(scenario: ScenarioText) -> ScenarioText:
    prefix = tuple(map(spoken, scenario.prefix))
    return replace(scenario, prefix=prefix, tasks=tuple(tuple(map(spoken, task)) for task in scenario.tasks))


def order(item: Outcome) -> str:
    return " then ".join(map(spoken, item.order))


def serial(proof: Proof) -> tuple[Outcome, ...]:
    """The serial outcomes, each once: two tasks that do the same have one order."""
    return tuple(dict.fromkeys(proof.serial))


def files(proof: Proof) -> list[str]:
    """Every file that the interleaving runs through, in the order of its first line there."""
    return list(dict.fromkeys(step.path for step in proof.timeline))


def executions(proof: Proof) -> str:
    return f"{proof.executions} execution{'' if proof.executions == 1 else 's'}"


def unproven(proof: Proof | None) -> str:
    """Why there is no reproduction, or an empty text where there is one."""
    if proof is None:
        return "Not run: ask for a proof with `--prove`."
    if proof.verdict is Verdict.RACE:
        return "" if proof.test else "The race was shown by the schedule below; no test was generated for it."
    return f"No interleaving was found that breaks it: {proof.verdict} after {executions(proof)}: {proof.reason}."


def patch_verdict(patch: Patch) -> str:
    proof = patch.proof
    if proof is None:
        return "The patched code was not proven."
    if proof.verdict is Verdict.SAFE:
        return f"The patched code is safe: {proof.reason}."
    return f"The patched code is not proven safe: {proof.verdict} after {executions(proof)}: {proof.reason}."


def closing(report: Report) -> str:
    """Such as: 3 findings in 1 file: 3 proven, 3 fixed by a patch that is proven safe."""
    cases, files = report.cases, _files(report)
    known = f"; {report.known} more {'is' if report.known == 1 else 'are'} in the baseline" if report.known else ""
    if not cases:
        return f"No findings in {files}{known}."
    parts = []
    if any(case.proof for case in cases):
        parts.append(f"{sum(is_race(case.proof) for case in cases)} proven")
    if any(case.patch and case.patch.proof for case in cases):
        fixed = sum(map(is_fixed, cases))
        parts.append(f"{fixed} fixed by a patch that is proven safe{_unsafe(cases)}")
    elif any(case.patch for case in cases):
        parts.append(f"{sum(case.patch is not None for case in cases)} with a patch")
    told = f": {', '.join(parts)}" if parts else ""
    return f"{_count(len(cases), 'finding')} in {files}{told}{known}."


def _unsafe(cases: Sequence[Case]) -> str:
    """Proven or not, they are for somebody to read before they are written."""
    count = sum(is_fixed(case) and case.patch is not None and case.patch.safety is Safety.UNSAFE for case in cases)
    return f" ({count} of them graded unsafe)" if count else ""


def _files(report: Report) -> str:
    """How many there are, and that of some nothing can be said."""
    unread = {item.path for item in report.diagnostics if item.kind == UNREADABLE}
    return _count(report.statistics.files, "file") + (f" ({len(unread)} could not be analysed)" if unread else "")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def is_race(proof: Proof | None) -> bool:
    return proof is not None and proof.verdict is Verdict.RACE


def is_fixed(case: Case) -> bool:
    proof = case.patch.proof if case.patch else None
    return proof is not None and proof.verdict is Verdict.SAFE


def is_cured(case: Case) -> bool:
    """True unless the remedy is still worth telling: a patch that was not proven safe may be none."""
    return case.patch is not None and (case.patch.proof is None or is_fixed(case))
