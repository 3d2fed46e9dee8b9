"""One lock for the state that several tasks change: made with the object, held by every method that touches it."""

import ast
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import ClassVar

import libcst as cst

from racehound.fixes.diff import unified
from racehound.fixes.locking.choice import Home, dataclass_decorator
from racehound.fixes.locking.coroutines import plan_for_coroutines
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.given_away import copied
from racehound.fixes.locking.homes import MakeLock, Site, make_module_lock
from racehound.fixes.locking.imports import Import, add_import, say
from racehound.fixes.locking.initializer import may_end_with_lock, signature_for
from racehound.fixes.locking.plan import Plan, make_plan
from racehound.fixes.locking.reentrance import refuse_own_resizing
from racehound.fixes.locking.rewrite import DropWiths, WrapRegions, rewrite
from racehound.fixes.locking.sections import sections_of
from racehound.fixes.locking.territory import Territory, class_territory, module_territory
from racehound.fixes.locking.upgrade import RenameFactory
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding, Subject
from racehound.model.patch import Patch, Refusal, Safety

SPLIT = "RH109"
"""What is guarded at every step, and not from one to the next."""
GUARDED = "the state is guarded already, as far as its file shows"


class HoldLock(Transformation):
    """For the shared state of any rule that names it: one patch guards all that one lock can."""

    rules: ClassVar[frozenset[str]] = frozenset()

    def takes(self, finding: Finding) -> bool:
        """False where it is locks that are at fault, or nothing that one could be held for."""
        return bool(finding.subject.fields) and not finding.rule.startswith("RH2")

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        subject = merged_subject([finding.subject for finding in findings])
        if subject.unpatched is not None:
            raise CannotChange(subject.unpatched)
        try:
            plan, after = _locked(source, subject)
            if plan is None and any(finding.rule == SPLIT for finding in findings):
                plan, after = _locked(*in_one_go(source, subject))
        except CannotHold as error:
            raise CannotChange(str(error)) from error
        if plan is None:
            raise CannotChange(GUARDED)
        return Change(after, _deeds(plan, subject), tuple(plan.dangers), tuple(plan.remarks))

    def together(self, finding: Finding) -> Hashable:
        subject = finding.subject
        return subject.path, subject.class_name, subject.lock, subject.coroutines, subject.unpatched


def in_one_go(source: str, subject: Subject) -> tuple[str, Subject]:
    """The file without the sections between which the lock is free, and who is to hold it instead."""
    found = sections_of(_territory(source, subject), subject)
    if not found.lines:
        return source, subject
    return rewrite(source, DropWiths(found.lines, found.names)), replace(subject, lock=found.lock)


def merged_subject(subjects: Sequence[Subject]) -> Subject:
    """One subject for all the findings that one lock can cure."""
    return replace(
        subjects[0],
        functions=tuple(dict.fromkeys(name for subject in subjects for name in subject.functions)),
        fields=tuple(dict.fromkeys(name for subject in subjects for name in subject.fields)),
    )


def hold_lock(source: str, *, subject: Subject, path: str) -> Patch | None:
    """The patch that guards the subject's state, or None where it is guarded already or no lock would be right."""
    result = try_to_hold_lock(source, subject=subject, path=path)
    return result if isinstance(result, Patch) else None


def try_to_hold_lock(source: str, *, subject: Subject, path: str) -> Patch | Refusal:
    """The patch, or why there is none."""
    if subject.unpatched is not None:
        return Refusal(subject.unpatched)
    try:
        plan, after = _locked(source, subject)
    except CannotHold as error:
        return Refusal(str(error))
    except cst.ParserSyntaxError:  # stricter than Python itself
        return Refusal("the file has a layout that cannot be rewritten, such as tabs among spaces")
    except RecursionError:
        return Refusal("the file is nested too deeply to be rewritten")
    if plan is None:
        return Refusal(GUARDED)
    return Patch(
        path=path,
        summary=_summary(plan, subject),
        before=source,
        after=after,
        diff=unified(path, source, after),
        safety=Safety.UNSAFE if plan.dangers else Safety.SAFE,
    )


def _locked(source: str, subject: Subject) -> tuple[Plan | None, str]:
    land = _territory(source, subject)
    make = plan_for_coroutines if subject.coroutines else make_plan
    plan = make(land, subject)
    if plan is None:
        return None, source
    if plan.redundant:
        lock = plan.choice.name
        plainer = rewrite(source, DropWiths(plan.redundant, land.conditions_over(lock) | {lock}))
        return _locked(plainer, replace(subject, lock=plan.choice.name))
    if plan.reentrant:
        refuse_own_resizing(land, subject.fields)
    after = _make_lock(rewrite(copied(source, plan.given), WrapRegions(plan.regions)), subject, plan)
    if make(_territory(after, subject), subject) is not None:
        raise CannotHold("part of the state would stay unguarded")
    return plan, after


def _territory(source: str, subject: Subject) -> Territory:
    tree = ast.parse(source)
    land = class_territory(tree, subject.class_name) if subject.class_name else module_territory(tree)
    if land is None:
        raise CannotHold(f"there is no class `{subject.class_name}` in this file")
    return land


def _make_lock(source: str, subject: Subject, plan: Plan) -> str:
    """The second step: the regions are wrapped, the lock that they name does not exist yet."""
    if plan.choice.home is Home.EXISTING and not plan.upgrades:
        return source
    land = _territory(source, subject)
    factory = say(land.tree, plan.library, "RLock" if plan.reentrant else "Lock")
    if plan.upgrades:
        locks = land.module_locks if plan.choice.is_global else land.locks
        renamed = rewrite(source, RenameFactory(locks[plan.choice.name].line, factory.expression))
        return _add_imports(renamed, factory)
    site = _site(land, plan, factory)
    if plan.choice.home is Home.MODULE:
        module = cst.parse_module(_add_imports(source, factory))
        return make_module_lock(module, site, subject.fields[0]).code
    made = rewrite(source, MakeLock(site))
    return _add_imports(made, factory, *filter(None, [site.field]))


def _add_imports(source: str, *imports: Import) -> str:
    module = cst.parse_module(source)
    for needed in imports:
        module = add_import(module, needed.statement) if needed.statement else module
    return module.code


def _site(land: Territory, plan: Plan, factory: Import) -> Site:
    site = Site(choice=plan.choice, factory=factory, library=plan.library)
    node = land.class_node
    if node is None:
        return site
    if plan.choice.home is Home.DATACLASS_FIELD and dataclass_decorator(node) is not None:
        return replace(site, class_line=node.lineno, field=say(land.tree, "dataclasses", "field"))
    if plan.choice.home is Home.NEW_INITIALIZER:
        return replace(site, class_line=node.lineno, signature=signature_for(land))
    if plan.choice.home is Home.CLASS_BODY:
        return replace(site, class_line=node.lineno)
    initializer = land.methods["__init__"]
    receiver = initializer.args.args[0].arg if initializer.args.args else "self"
    at_end = may_end_with_lock(initializer, receiver, list(land.methods))
    return replace(
        site, class_line=node.lineno, initializer_line=initializer.lineno, at_end=at_end, receiver=receiver
    )


def _summary(plan: Plan, subject: Subject) -> str:
    return "; ".join([_deeds(plan, subject), *plan.dangers, *plan.remarks])


def _deeds(plan: Plan, subject: Subject) -> str:
    owner = f"`{subject.class_name}`" if subject.class_name else "the module"
    functions = ", ".join(f"`{name}`" for name in plan.functions)
    return f"{owner} {_deed(plan)} in {functions}"


def _deed(plan: Plan) -> str:
    name = plan.choice.name
    if plan.upgrades:
        return f"holds `{name}`, now an RLock,"
    if plan.choice.home is Home.EXISTING:
        return f"holds `{name}`"
    kind = "a lock of asyncio" if plan.library == "asyncio" else "an RLock" if plan.reentrant else "a lock"
    return f"gets {kind}, `{name}`, held"
