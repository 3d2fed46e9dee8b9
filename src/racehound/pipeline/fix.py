"""From a proven finding to a patch, and from a patch to the proof that it holds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from racehound.fixes.hold_lock import try_to_hold_lock
from racehound.model.finding import Subject
from racehound.model.patch import Patch, Refusal
from racehound.model.proof import Verdict
from racehound.model.report import Case
from racehound.pipeline.files import read_source
from racehound.pipeline.proofs import Progress, Prove, each_at_once, prove_patched

Read = Callable[[str], str]
Key = tuple[str, str | None, str | None, bool, str | None]
"""File, class, lock, its kind, and why a lock there would not help: what one patch can guard."""


def fix_all(
    cases: Sequence[Case],
    *,
    budget: float,
    prove: Prove | None = None,
    read: Read = read_source,
    progress: Progress = lambda _: None,
) -> tuple[Case, ...]:
    """The cases with their patches; those of one class share one patch, since one lock guards its state."""
    subjects = merged_subjects(cases)

    def fixed(case: Case) -> Case:
        subject = subjects.get(key_of(case), case.finding.subject)
        patch = fix(case, subject=subject, budget=budget, prove=prove, read=read)
        if isinstance(patch, Refusal):
            return replace(case, patch_reason=patch.reason)
        return replace(case, patch=patch)

    return each_at_once(fixed, cases, progress)


def fix(
    case: Case, *, subject: Subject, budget: float, prove: Prove | None = None, read: Read = read_source
) -> Patch | Refusal:
    """A patch for the subject, proven on the finding, unless none is right or the code was proven safe."""
    if case.proof is not None and case.proof.verdict is Verdict.SAFE:
        return Refusal("the code as it is was proven safe")
    if case.finding.rule.startswith("RH2"):
        return Refusal("it takes more than one further lock; the remedy says what")
    if not case.finding.subject.fields:
        return Refusal("no lock cures it; the remedy says what does")
    patch = try_to_hold_lock(read(subject.path), subject=subject, path=case.finding.location.path)
    if isinstance(patch, Refusal) or prove is None:
        return patch
    return replace(patch, proof=prove_patched(case, patch.after, budget=budget, prove=prove))


def key_of(case: Case) -> Key:
    subject = case.finding.subject
    return subject.path, subject.class_name, subject.lock, subject.coroutines, subject.unpatched


def merged_subjects(cases: Iterable[Case]) -> dict[Key, Subject]:
    """One subject for all the findings that one patch can cure: those about some state."""
    merged: dict[Key, Subject] = {}
    for case in (case for case in cases if case.finding.subject.fields):
        new = case.finding.subject
        old = merged.setdefault(key_of(case), new)
        merged[key_of(case)] = replace(
            old,
            functions=tuple(dict.fromkeys((*old.functions, *new.functions))),
            fields=tuple(dict.fromkeys((*old.fields, *new.fields))),
        )
    return merged
