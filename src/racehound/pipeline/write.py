"""Writing patches into the user's files: only what was proven, exactly as it was proven."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from racehound.fixes.editing.relocation import moved
from racehound.fixes.registry import patch_by, transformation_named
from racehound.model.patch import Patch, Safety
from racehound.model.proof import Verdict
from racehound.model.report import Case
from racehound.pipeline.files import write_source
from racehound.pipeline.fix import cure
from racehound.pipeline.proofs import Prove, prove_patched


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What became of the patches of one file."""

    path: str
    written: bool
    reason: str


def write_patches(
    cases: Sequence[Case], *, budget: float, prove: Prove, unsafe: bool = False
) -> tuple[Writing, ...]:
    """Write, file by file, the patches that are proven for all their findings; `unsafe` ones only if asked."""
    paths = dict.fromkeys(case.patch.path for case in cases if case.patch)
    done: list[Writing] = []
    for path in paths:
        here = [case for case in cases if case.patch and case.patch.path == path]
        done += _write_file(here, budget=budget, prove=prove, unsafe=unsafe)
    return tuple(done)


def _write_file(cases: list[Case], *, budget: float, prove: Prove, unsafe: bool) -> Iterator[Writing]:
    groups: dict[Hashable, list[Case]] = {}
    for case in cases:
        name = _patch_of([case]).transformation
        transformation = transformation_named(name, case.finding)
        groups.setdefault((name, cure(transformation, case.finding)), []).append(case)
    fit: list[list[Case]] = []
    for group in groups.values():
        reason = _objection(group, unsafe=unsafe)
        if reason:
            yield Writing(path=group[0].finding.location.path, written=False, reason=reason)
        else:
            fit.append(group)
    if fit:
        yield _write_together(fit, budget=budget, prove=prove)


def _objection(group: list[Case], *, unsafe: bool) -> str:
    """Why the patch of these findings is not written, or an empty text."""
    name = group[0].finding.subject.class_name or "the module"
    proofs = [case.patch.proof for case in group if case.patch]
    for proof in proofs:
        if proof is None or proof.verdict is not Verdict.SAFE:
            return f"the patch of {name} is not proven safe: {proof.reason if proof else 'it was not proven'}"
    if not unsafe and any(case.patch and case.patch.safety is Safety.UNSAFE for case in group):
        return f"the patch of {name} is graded unsafe; read it, then allow it with --unsafe-fixes"
    return ""


def _write_together(groups: list[list[Case]], *, budget: float, prove: Prove) -> Writing:
    """All patches of a file; several of them are a text that nobody has proven yet."""
    patch = _patch_of(groups[0])
    text = _composed(groups)
    cases = [case for group in groups for case in group]
    if len(groups) > 1 and not _holds(cases, text, budget=budget, prove=prove):
        reason = "the patches of its classes are not proven safe together; fix one class at a time"
        return Writing(path=patch.path, written=False, reason=reason)
    write_source(cases[0].finding.subject.path, before=patch.before, after=text)
    count = len(cases)
    return Writing(path=patch.path, written=True, reason=f"fixed {count} finding{'' if count == 1 else 's'}")


def _patch_of(group: list[Case]) -> Patch:
    patch = group[0].patch
    assert patch is not None  # noqa: S101 - only cases with a patch come here
    return patch


def _composed(groups: list[list[Case]]) -> str:
    """Each patch made anew on what the ones before have left; what cannot be, the proof of all tells."""
    first = _patch_of(groups[0])
    text = first.after
    for group in groups[1:]:
        here = [moved(case.finding, first.before, text) for case in group]
        findings = [finding for finding in here if finding is not None]
        if findings:
            transformation = transformation_named(_patch_of(group).transformation, findings[0])
            patch = patch_by(transformation, text, findings=findings, path=first.path)
            text = patch.after if isinstance(patch, Patch) else text
    return text


def _holds(cases: list[Case], text: str, *, budget: float, prove: Prove) -> bool:
    proofs = (prove_patched(case, text, budget=budget, prove=prove) for case in cases)
    return all(proof.verdict is Verdict.SAFE for proof in proofs)
