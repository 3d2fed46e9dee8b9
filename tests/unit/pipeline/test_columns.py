"""Facts in columns are the same facts when they are put together again, and nothing else passes for them."""

import pytest

from racehound.pipeline.columns import columns_of, module_of
from racehound.source.extraction import extract
from racehound.source.module import SourceModule

TEXT = """
import threading

LIMIT = 3

class Store:
    kept = {}

    def __init__(self):
        self._lock = threading.Lock()

    def add(self, item):
        try:
            with self._lock:
                for other in self.kept:
                    if other == item:
                        return None
                self.kept[item] = lambda: item
        except KeyError:
            raise
        return len(self.kept)

async def wait(store):
    await store.ready()
    store.add(LIMIT)
"""


def test_nothing_is_lost() -> None:
    module = extract(SourceModule.from_text(TEXT))
    columns = columns_of(module)
    again = module_of(columns)
    assert [function.events for function in again.functions] == [function.events for function in module.functions]
    assert [type(event) for item in again.functions for event in item.events] == [
        type(event) for item in module.functions for event in item.events
    ]
    assert [str(function.owner) for function in again.functions] == [
        str(function.owner) for function in module.functions
    ]
    assert all(function.module is again for function in again.functions)
    assert again.classes[0].methods["add"] is next(item for item in again.functions if item.name == "add")
    assert again.callers["len"] == [again.classes[0].methods["add"]]


def test_events_that_are_missing_are_noticed() -> None:
    columns = columns_of(extract(SourceModule.from_text(TEXT)))
    codes = columns[-2]
    columns[-2] = codes + codes
    with pytest.raises(ValueError, match="fewer events"):
        module_of(columns)


def test_a_column_that_is_too_short_is_noticed() -> None:
    columns = columns_of(extract(SourceModule.from_text(TEXT)))
    columns[9] = columns[9] + columns[9][:1]
    with pytest.raises(ValueError, match="values of"):
        module_of(columns)
