import types
from collections.abc import Callable
from typing import Any

from racehound.scenario.checkpoint import Checkpoint

Load = Callable[[str], types.ModuleType]

SOURCE = """
    import collections
    import functools
    import threading

    count = 0
    table = {"a": [1]}
    queue = collections.deque([1])
    seen = {1}
    lock = threading.Lock()
    pair = ([1], 2)

    class Service:
        instance = None
        registry = {}

        def __init__(self):
            self.items = []

    shared = Service()

    @functools.lru_cache
    def cached(x):
        return [x]
"""


def test_everything_a_program_changes_is_put_back(load: Load) -> None:
    module: Any = load(SOURCE)
    checkpoint = Checkpoint([module])
    table, inner, first = module.table, module.table["a"], module.cached(1)

    module.count = 5
    module.extra = 1
    module.table = {}
    table["b"] = 2
    inner.append(2)
    module.queue.append(2)
    module.seen.clear()
    module.lock.acquire()
    module.pair[0].append(3)
    module.Service.instance = module.Service()
    module.Service.registry["x"] = 1
    module.Service.late = 1
    module.shared.items.append(1)
    module.shared.extra = 1
    checkpoint.restore()

    assert module.count == 0
    assert not hasattr(module, "extra")
    assert module.table is table
    assert table == {"a": [1]}
    assert table["a"] is inner
    assert list(module.queue) == [1]
    assert module.seen == {1}
    assert not module.lock.locked()
    assert module.pair == ([1], 2)
    assert module.Service.instance is None
    assert module.Service.registry == {}
    assert not hasattr(module.Service, "late")
    assert vars(module.shared) == {"items": []}
    assert module.cached(1) is not first


def test_order_of_keys_is_put_back(load: Load) -> None:
    module = load("table = {'a': 1, 'b': 2}")
    checkpoint = Checkpoint([module])

    module.table["a"] = module.table.pop("a")
    checkpoint.restore()

    assert list(module.table) == ["a", "b"]
