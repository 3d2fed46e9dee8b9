"""From a proven finding to a patch, and from a patch to the proof that it holds."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from racehound.fixes.registry import patch_by, transformations_for
from racehound.fixes.transformation import Transformation
from racehound.model.finding import Finding
from racehound.model.patch import Patch, Refusal
from racehound.model.proof import Verdict
from racehound.model.report import Case
from racehound.pipeline.files import read_source
from racehound.pipeline.proofs import Progress, Prove, each_at_once, prove_patched

Read = Callable[[str], str]


def fix_all(
    cases: Sequence[Case],
    *,
    budget: float,
    prove: Prove | None = None,
    read: Read = read_source,
    progress: Progress = lambda _: None,
) -> tuple[Case, ...]:
    """The cases with their patches; findings that one patch cures share it, as those of one class share a lock."""
    findings = [case.finding for case in cases]

    def fixed(case: Case) -> Case:
        patch = fix(case, among=findings, budget=budget, prove=prove, read=read)
        if isinstance(patch, Refusal):
            return replace(case, patch_reason=patch.reason)
        return replace(case, patch=patch)

    return each_at_once(fixed, cases, progress)


def fix(
    case: Case,
    *,
    among: Sequence[Finding] = (),
    budget: float,
    prove: Prove | None = None,
    read: Read = read_source,
) -> Patch | Refusal:
    """The first patch that is proven on the finding, else the first that there is, or why there is none.

    It cures all the findings `among` which this one is, as far as it can.
    """
    finding = case.finding
    is_safe = case.proof is not None and case.proof.verdict is Verdict.SAFE
    refusal, unproven = None, None
    for transformation in transformations_for(finding):
        if is_safe and not transformation.is_of_one_task:
            return Refusal("the code as it is was proven safe")
        cured = cured_with(transformation, finding, among)
        made = patch_by(transformation, read(finding.subject.path), findings=cured, path=finding.location.path)
        if isinstance(made, Refusal):
            refusal = refusal or made
            continue
        if prove is not None:
            made = replace(made, proof=prove_patched(case, made.after, budget=budget, prove=prove))
        if made.proof is None or made.proof.verdict is Verdict.SAFE:
            return made
        unproven = unproven or made
    return unproven or refusal or Refusal("no patch cures it; the remedy says what does")


def cured_with(transformation: Transformation, finding: Finding, among: Sequence[Finding]) -> tuple[Finding, ...]:
    """The finding and all others that the same patch cures, in their order."""
    key = cure(transformation, finding)
    others = [other for other in among if transformation in transformations_for(other)]
    return tuple(other for other in others if cure(transformation, other) == key) or (finding,)


def cure(transformation: Transformation, finding: Finding) -> Hashable:
    return finding.subject.path, transformation.together(finding)
