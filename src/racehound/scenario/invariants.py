"""An invariant that raises says something about a race only if it can be asked after a serial order."""

from functools import partial

from racehound.engine.execution import Ending
from racehound.engine.explorer import Explorer
from racehound.errors import HarnessError
from racehound.scenario.judge import InvariantJudge
from racehound.scenario.program import Program
from racehound.strategies.foremost import Foremost


def check_invariant(explorer: Explorer, program: Program, judge: InvariantJudge) -> None:
    """Complain if the invariant raises although the operations have run one after the other."""
    for order in program.serial_orders():
        trace = explorer.run(partial(program.prepare_serial, order), Foremost())
        failed = trace.ending is Ending.COMPLETE and judge(trace) is not None
        if failed and judge.raised is not None:
            raise HarnessError(
                f"the invariant raises {type(judge.raised).__name__}: {judge.raised},"
                " also when the operations run one after the other",
                hint="write a condition that can be asked after each of them",
            )
