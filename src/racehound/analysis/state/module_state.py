"""Variables of modules, by whichever name a function knows them."""

from racehound.analysis.meaning.names import Variable
from racehound.analysis.program import Program
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Place
from racehound.source.facts import FunctionFacts


def variable_of(program: Program, function: FunctionFacts, place: Place) -> Variable | None:
    """The variable that a place is, of the module of the function or of one that it imports."""
    if place.root == SELF or scope_of(function, place.root) is not None:
        return None
    if place.root in function.module.variables and not place.attributes:
        return Variable(function.module, place.root, ())
    found = program.kinds.variable(function.module, place)
    return found if found is not None and not found.attributes else None
