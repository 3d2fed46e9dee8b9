"""How entries of collections that are not local are come to: looked for first, by `get`, by subscript."""

from racehound.pipeline.census import Census, Sight
from racehound.source.events import SELF, Action, Touch
from racehound.source.facts import FunctionFacts


def count_keys(census: Census, function: FunctionFacts) -> None:
    looked_for: set[tuple[object, str | None]] = set()
    for touch in function.events:
        if not isinstance(touch, Touch) or not _is_kept(function, touch):
            continue
        place = Sight(function.module.path, touch.span.line)
        if touch.action is Action.ITERATE:
            census.loops.append(place)
        if touch.key is None:
            continue
        entry = (touch.place, touch.key)
        if touch.method == "get":
            census.gets.append(place)
        elif touch.action is Action.CHECK:
            looked_for.add(entry)
        elif entry in looked_for:
            census.key_checks.append(place)
        if touch.action is Action.READ and not touch.method:
            census.subscripts.append(place)


def _is_kept(function: FunctionFacts, touch: Touch) -> bool:
    """True for what outlives the call."""
    root = touch.place.root
    return root == SELF or (root in function.module.variables and root not in function.bound)
