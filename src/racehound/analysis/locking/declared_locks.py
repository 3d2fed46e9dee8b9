"""Declarations that mean nothing: a lock that does not exist, a comment at something that is no field."""

from collections.abc import Iterator

from racehound.source.declarations import Declaration
from racehound.source.events import SELF, Action, Touch
from racehound.source.facts import ClassFacts, ModuleFacts


def fault_of(module: ModuleFacts, item: Declaration) -> str:
    """A clause that says what is wrong with it; empty where nothing is, or it cannot be told from the file."""
    if not item.field:
        return "it speaks of no field: put it behind an assignment, or on the line above one"
    root = item.lock.partition(".")[0]
    if not root or root in module.variables or root in module.imports or root in module.definitions:
        return ""
    known = _names(module, item.owner) if item.owner else set()
    where = f"`{item.owner}`" if item.owner else "the module"
    return (
        "" if known is None or root in known else f"there is no `{item.lock}` in {where} to guard `{item.field}`"
    )


def _names(module: ModuleFacts, owner: str) -> set[str] | None:
    """What objects of a class have; None where a base of another file may have more."""
    names: set[str] = set()
    line = [owner]
    for name in line:
        item = module.definitions.get(name)
        if not isinstance(item, ClassFacts):
            return None
        names.update(item.attributes, item.methods, _stored(module, item))
        line += [base for base in map(str, item.bases) if base != "object" and base not in line]
    return names


def _stored(module: ModuleFacts, item: ClassFacts) -> Iterator[str]:
    for function in module.functions:
        for event in function.events if function.owner is item else ():
            if isinstance(event, Touch) and event.action is Action.WRITE and event.place.root == SELF:
                yield from event.place.attributes[:1]
