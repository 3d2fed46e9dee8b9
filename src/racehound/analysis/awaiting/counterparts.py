"""Coroutines that only hand a public method to a thread: `async def aget(self): return await to_thread(self.get)`.

Such a pair says that loops may call the method as well; it does not say that two come to the same object.
"""

from racehound.source.events import SELF, Call, Value
from racehound.source.facts import FunctionFacts


def is_counterpart(function: FunctionFacts, target: Value) -> bool:
    place = target.place
    if not function.is_async or place is None or place.root != SELF or len(place.attributes) != 1:
        return False
    name = place.attributes[0]
    if function.name not in {f"a{name}", f"a_{name}", f"async_{name}", f"{name}_async"}:
        return False
    return sum(isinstance(event, Call) for event in function.events) == 1
