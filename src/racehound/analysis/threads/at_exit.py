"""Whether two functions meet when the program ends: one in an exit handler, the other in a thread."""

from racehound.analysis.program import Program
from racehound.analysis.threads.activations import Context
from racehound.source.facts import FunctionFacts


def met_at_exit(
    program: Program, first: FunctionFacts, second: FunctionFacts, *, on_object: bool
) -> Context | None:
    """The exit handler that one of them belongs to, where a thread that nobody waits for runs the other."""
    exits = program.contexts.exits
    return exits.meeting(first, second, on_object=on_object) or exits.meeting(second, first, on_object=on_object)


def are_over_at_exit(program: Program, first: FunctionFacts, second: FunctionFacts) -> bool:
    """True if one runs at exit, as far as can be seen, and the threads of the other have ended by then."""
    return any(
        _are_over(program, other) and _is_only_at_exit(program, one)
        if one in program.contexts.exits
        else _comes_after_waiting(program, one)
        for one, other in ((first, second), (second, first))
    )


def _are_over(program: Program, function: FunctionFacts) -> bool:
    return program.contexts.exits.are_over(function)


def _is_only_at_exit(program: Program, function: FunctionFacts) -> bool:
    contexts, callers = program.contexts, program.mentions.callers(function)
    if contexts.of(function) or contexts.exits.is_early(function):
        return False
    return all(caller in contexts.exits for caller in callers)


def _comes_after_waiting(program: Program, function: FunctionFacts) -> bool:
    """True for a step of exit handlers that have waited for threads by then."""
    waiting = program.contexts.waiting_at_exit
    if not waiting or program.contexts.of(function):
        return False
    callers = program.mentions.callers(function)
    return bool(callers) and waiting.issuperset(callers)
