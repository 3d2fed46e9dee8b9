import types
from collections.abc import Callable

from racehound.engine.control import CONTROL
from racehound.primitives.lock import ControlledRLock
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
    module = load(SOURCE)
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


def test_queues_locks_and_thread_locals_that_were_made_before_start_alike(load: Load) -> None:
    module = load(
        """
        import _queue
        import _thread
        import queue
        import threading

        made = queue.SimpleQueue()
        made.put(1)
        original = _queue.SimpleQueue()
        original.put(2)
        lock = _thread.allocate_lock()
        reentrant = _thread.RLock()
        local = threading.local()
        """
    )
    names = vars(module)
    checkpoint = Checkpoint([module])
    assert CONTROL.mirror_of is not None
    reentrant = CONTROL.mirror_of(names["reentrant"])
    assert isinstance(reentrant, ControlledRLock)

    names["made"].get()
    names["original"].put(3)
    names["lock"].acquire()
    reentrant.acquire()
    checkpoint.restore()

    assert names["made"].items() == [1]
    assert [names["original"].get_nowait(), names["original"].empty()] == [2, True]
    assert repr(CONTROL.mirror_of(names["lock"])) == "<unlocked lock>"
    assert repr(reentrant) == "<unlocked reentrant lock count=0>"
    assert CONTROL.fresh_carriers
