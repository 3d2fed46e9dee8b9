"""The process in which code under proof runs.

It reads a request from its standard input and writes the proof to a file of its own, so that nothing the
target prints can be taken for an answer. It ends without unwinding: threads of the target that never
end cannot keep it.
"""

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from racehound.errors import HarnessError, RacehoundError
from racehound.instrument.loader import instrumenting
from racehound.instrument.territory import territory_of
from racehound.instrument.ways import WAYS
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.primitives.mirrors import installed
from racehound.scenario.absent import ABSENT
from racehound.scenario.candidates import CONSTRUCTORS, Candidates, Told
from racehound.scenario.expressions import callable_of
from racehound.scenario.fence import Fence
from racehound.scenario.keeping import go_on_in_a_child
from racehound.scenario.limits import begin, limit_resources
from racehound.scenario.plan import Plan, plan_of
from racehound.scenario.prover import Prover
from racehound.scenario.raced import operations_of
from racehound.scenario.reached import Reached
from racehound.scenario.regression import Target, regression_test, skipped_without
from racehound.scenario.request import Request
from racehound.scenario.stuck import STANDSTILLS
from racehound.scenario.surroundings import Surroundings
from racehound.scenario.tally import HARNESS
from racehound.scenario.target import ModuleName, check_makeable, find_class, import_target, module_name_of
from racehound.scenario.untaken import Untaken
from racehound.scenario.watchdog import Answer, Progress, watch
from racehound.strategies.registry import Choice


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be raced, found and imported."""

    request: Request
    module: types.ModuleType
    candidates: Candidates
    setup: str
    reached: Reached


def prove_request(request: Request, progress: Progress | None = None) -> Proof:
    """The proof that a request asks for; import and construction troubles are verdicts."""
    progress = progress or Progress(request.seconds)
    name = module_name_of(Path(request.path))
    overrides = {request.path: request.source} if request.source is not None else {}
    with installed(), instrumenting(territory_of(Path(request.path), name.root), overrides):
        try:
            case = _case(request, name, progress)
        except RacehoundError as error:
            proof = Proof(verdict=Verdict.INCONCLUSIVE, reason=str(error), executions=0, oracle=HARNESS)
            return ABSENT.told_of(proof)
        proof = ABSENT.told_of(_proven(case, progress))
    if proof.verdict is not Verdict.RACE or proof.scenario is None:
        return proof
    target = Target.of(name.name, request.shown_path)
    test = regression_test(proof.scenario, target, class_name=request.class_name, invariant=request.invariant)
    return replace(proof, test=skipped_without(test, ABSENT.packages))


def _case(request: Request, name: ModuleName, progress: Progress) -> Case:
    progress.stage = f"the import of {name.name}"
    module = import_target(name)
    WAYS.forget()
    progress.stage = "the code"
    kind = find_class(module, request.class_name) if request.class_name else None
    widely = request.source is not None  # a patch has to hold for everything the class offers
    told = Told(request.setup, request.invariant)
    candidates = Candidates(module, kind, request.functions, request.pair, widely=widely, told=told)
    _check_operations(request, candidates)
    setup = request.setup or _made_up(request, candidates, kind)
    if request.first is not None and not request.first.setup:
        request = replace(request, first=replace(request.first, setup=setup))
    return Case(request, module, candidates, setup, Reached(request.accused))


def _proven(case: Case, progress: Progress) -> Proof:
    request, prover = case.request, _prover(case)
    progress.executions, progress.race, progress.has_raced = prover.count, prover.found, prover.has_raced
    if request.first is not None and request.schedule is not None:
        return prover.replay(request.first, request.schedule)
    return prover.prove(
        chain(_ordered(request, case.candidates, case.setup, prover), _pointed(case)),
        seconds=progress.left,
        relevant=lambda found: _is_meant(found, request),
        left_out=() if request.only_first else case.candidates.left_out,
        untaken=lambda: next((way.told for way in _untaken(case)), None) or case.reached.missing(),
    )


def _untaken(case: Case) -> list[Untaken]:
    """What made-up calls did not lead to; those of the user, and what broke before a patch, are enough."""
    request = case.request
    if request.only_first or (request.source is not None and request.first is not None):
        return []
    return list(case.candidates.untaken((*request.functions, *(request.pair or ()))))


def _pointed(case: Case) -> Iterator[ScenarioText]:
    """For ways that all others have left ungone."""
    names = dict.fromkeys(way.function for way in _untaken(case))
    yield from case.candidates.pointed(names, case.setup)
    names = dict.fromkeys(way.function for way in _untaken(case))
    yield from case.candidates.after_two(names, case.setup)
    if _untaken(case):
        yield from case.candidates.repeated(case.setup)


def _prover(case: Case) -> Prover:
    request, names = case.request, vars(case.module)
    target: dict[str, object] = {"path": request.shown_path, "class": request.class_name}
    if request.invariant is not None:
        target["invariant"] = request.invariant
    imported = Surroundings.here()

    def plan(scenario: ScenarioText) -> Plan:
        """Every scenario begins with the modules as they were imported, whatever was raced before."""
        imported.restore()
        known = imported if imported.is_complete else None
        return replace(plan_of(scenario, names), surroundings=known)

    return Prover(
        plan,
        target=target,
        invariant=callable_of(request.invariant, names) if request.invariant is not None else None,
        choice=Choice(request.strategy, request.seed),
        notice=case.reached.note,
    )


def _check_operations(request: Request, candidates: Candidates) -> None:
    """Complain where there is nothing to race."""
    if request.first is None and (candidates.is_empty or (request.only_named and candidates.lacks_named)):
        name = ".".join(filter(None, (request.class_name, *request.functions)))
        why = candidates.left_out[0] if candidates.left_out else f"{name} has no public method or property to race"
        raise HarnessError(why, hint="say with --op EXPR what to call")


def _made_up(request: Request, candidates: Candidates, kind: type | None) -> str:
    """How to make the subject, where nobody says it."""
    if request.first is not None and request.first.setup:
        return ""
    if kind is not None:
        check_makeable(kind)
    return candidates.setup()


def _ordered(request: Request, candidates: Candidates, setup: str, prover: Prover) -> Iterator[ScenarioText]:
    if request.first is not None:
        yield request.first
    if request.only_first:
        return
    if not {*request.functions, *(request.pair or ())}.isdisjoint(CONSTRUCTORS):
        yield from candidates.constructions(setup)
    left_out = [frozenset(names) for names in request.without]
    for scenario in _of_two(request, candidates, setup, prover):
        if scenario != request.first and not any(names <= operations_of(scenario) for names in left_out):
            yield scenario
    # Where no operation came to anything, that its object could be made is no comfort.
    if (
        request.setup is None
        and not request.only_named
        and (candidates.lacks_operations or prover.came_to_a_result())
    ):
        yield from candidates.constructions(setup)
    if prover.came_to_a_result() and request.source is None:  # a patch is held against what broke the original
        yield from candidates.crowds(prover.waited, setup)


def _of_two(request: Request, candidates: Candidates, setup: str, prover: Prover) -> Iterator[ScenarioText]:
    """Pairs of calls: after a few others first, then wherever calls do something new."""
    for making in _setups(request, candidates, setup, prover):
        yield from candidates.scenarios(making)
    if prover.came_to_a_result():
        yield from candidates.later(prover.seen_alone, setup)


def _setups(request: Request, candidates: Candidates, setup: str, prover: Prover) -> Iterator[str]:
    """How the subject is made; in another way where nothing could be done with what was made."""
    yield setup
    for further in candidates.further_setups() if request.setup is None else ():
        if not prover.came_to_a_result():
            yield further


def _is_meant(proof: Proof, request: Request) -> bool:
    """Whether the interleaving ends as was asked for, and is about one of the fields."""
    if request.standstill:
        return proof.oracle in STANDSTILLS
    targets = " ".join(step.target for step in proof.timeline)
    return not request.fields or any(field in targets for field in request.fields)


def main() -> None:
    go_on_in_a_child()
    answer, megabytes = Answer(Path(sys.argv[1])), int(sys.argv[2])
    request = Request.from_json(sys.stdin.read())
    limit_resources(megabytes)
    Fence(Path(sys.argv[1]).parent).enclose()
    progress = Progress(request.seconds, left=request.left)
    watch(answer, progress, request.left)
    begin(Path(sys.argv[1]))
    try:
        proof = prove_request(request, progress)
    except MemoryError:
        proof = Proof(
            verdict=Verdict.INCONCLUSIVE, reason=f"the code needs more than {megabytes} MB", executions=0
        )
    answer.give(proof)


if __name__ == "__main__":
    main()
