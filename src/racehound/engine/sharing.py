"""What tasks share in a way that was not observed closely enough; known once an execution is over."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from racehound.engine.operation import ObjectId
from racehound.engine.trace import Trace

if TYPE_CHECKING:
    from racehound.model.schedule import TaskId


def caveats_of_sharing(trace: Trace, opaque: Mapping[ObjectId, str]) -> set[str]:
    """Why the execution cannot count towards a proof of safety.

    `opaque` says of objects why what was done to them could not be seen; that matters only if they are shared.
    """
    users: dict[ObjectId, set[TaskId]] = {subject: set() for subject in opaque}
    for task, operation in trace.events:
        for effect in operation.effects:
            if effect.subject in users:
                users[effect.subject].add(task)
    return {reason for subject, reason in opaque.items() if len(users[subject]) > 1}
