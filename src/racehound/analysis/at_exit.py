"""Whether two functions meet when the program ends: one in an exit handler, the other in a thread."""

from racehound.analysis.activations import Context
from racehound.analysis.program import Program
from racehound.source.facts import FunctionFacts


def met_at_exit(
    program: Program, first: FunctionFacts, second: FunctionFacts, *, on_object: bool
) -> Context | None:
    """The exit handler that one of them belongs to, where a thread that nobody waits for runs the other."""
    exits = program.contexts.exits
    return exits.meeting(first, second, on_object=on_object) or exits.meeting(second, first, on_object=on_object)


def are_over_at_exit(program: Program, first: FunctionFacts, second: FunctionFacts) -> bool:
    """True if one is an exit handler, as far as can be seen, and the other runs in threads that have ended."""
    exits = program.contexts.exits
    return any(
        exits.are_over(other) and _is_only_at_exit(program, one)
        for one, other in ((first, second), (second, first))
        if one in exits and not exits.is_early(one)
    )


def _is_only_at_exit(program: Program, function: FunctionFacts) -> bool:
    contexts, callers = program.contexts, program.mentions.callers(function)
    return not contexts.of(function) and all(caller in contexts.exits for caller in callers)
