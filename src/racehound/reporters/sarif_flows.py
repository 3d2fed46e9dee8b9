"""An interleaving in SARIF: a thread flow per task, with one order of execution across all of them."""

from collections.abc import Callable

from racehound.model.finding import Access, Finding
from racehound.model.location import Location
from racehound.model.proof import Step
from racehound.model.report import Case
from racehound.reporters import wording
from racehound.reporters.accusation import access

LONGEST = 200
Physical = Callable[[Location], dict[str, object]]


def code_flow(case: Case, physical: Physical) -> dict[str, object]:
    """The proven interleaving; without a proof, the two operations that can meet, each in a task of its own."""
    if case.proof is None or not case.proof.timeline:
        return _suspected(case.finding, physical)
    flows: dict[int, list[dict[str, object]]] = {}
    for order, step in enumerate(case.proof.timeline, 1):
        flows.setdefault(step.task, []).append(_step(order, step, physical))
    return {
        "message": {"text": case.proof.reason},
        "threadFlows": [{"id": f"task {task + 1}", "locations": flows[task]} for task in sorted(flows)],
    }


def _step(order: int, step: Step, physical: Physical) -> dict[str, object]:
    told = " ".join(wording.operation(step, LONGEST))
    return {
        "executionOrder": order,
        "importance": "essential" if step.switch else "important",
        "location": {
            "message": {"text": f"{step.source}: {told}"},
            "physicalLocation": physical(Location(path=step.path, line=step.line)),
        },
    }


def _suspected(finding: Finding, physical: Physical) -> dict[str, object]:
    pairs = ((finding.first, finding.second), (finding.second, finding.first))
    flows = [
        {"id": f"task {number}", "locations": [_operation(item, access(item, beside), physical)]}
        for number, (item, beside) in enumerate(pairs, 1)
    ]
    return {"message": {"text": finding.trigger}, "threadFlows": flows}


def _operation(item: Access, text: str, physical: Physical) -> dict[str, object]:
    return {
        "location": {
            "message": {"text": text},
            "physicalLocation": physical(item.location),
        }
    }
