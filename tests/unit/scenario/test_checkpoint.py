import types
from collections.abc import Callable
from typing import Any

from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.hidden_state import code_in, state_of
from racehound.scenario.surroundings import Surroundings

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


def test_a_class_that_can_clear_its_objects_is_no_cache(load: Load) -> None:
    module: Any = load(
        """
        import functools

        class Table:
            def cache_clear(self):
                self.rows = {}

        class Bound:
            def __init__(self, function):
                self.cache_clear = lambda owner: None

        class User:
            table = Table
            bound = Bound(len)

            @functools.lru_cache
            def answer(self):
                return []
        """
    )
    module.User.table = type("Foreign", (module.Table,), {"__module__": "elsewhere"})
    module.imported = module.User.table
    user = module.User()
    checkpoint = Checkpoint([module])
    first = user.answer()

    checkpoint.restore()

    assert user.answer() is not first


def test_order_of_keys_is_put_back(load: Load) -> None:
    module = load("table = {'a': 1, 'b': 2}")
    checkpoint = Checkpoint([module])

    module.table["a"] = module.table.pop("a")
    checkpoint.restore()

    assert list(module.table) == ["a", "b"]


HIDDEN = """
    import functools

    def counted(function):
        calls = 0
        seen = []

        @functools.wraps(function)
        def wrapper(*args):
            nonlocal calls
            calls += 1
            seen.append(args)
            wrapper.last = args
            return function(*args)

        return wrapper

    @counted
    def work(x, memo={}):
        memo[x] = x
        return len(memo)

    class Thing:
        def __init__(self):
            pass

        @staticmethod
        def keep(x, *, store=[]):
            store.append(x)
            return list(store)

        @property
        def size(self):
            return 1
"""


def test_what_functions_carry_is_put_back(load: Load) -> None:
    module: Any = load(HIDDEN)
    checkpoint = Checkpoint([module])

    first = (module.work(1), module.work(2), module.Thing.keep(1))
    calls, seen = (cell.cell_contents for cell in module.work.__closure__ if not callable(cell.cell_contents))
    checkpoint.restore()
    again = (module.work(1), module.work(2), module.Thing.keep(1))

    assert first == again == (1, 2, [1])
    assert (calls, len(seen)) == (2, 2)
    assert module.work.last == (2,)
    checkpoint.restore()
    assert not hasattr(module.work, "last")


def test_what_functions_carry_is_part_of_the_state(load: Load) -> None:
    module: Any = load(HIDDEN)
    module.work(1)
    found = {name: value for function in code_in(module).functions for name, value in state_of(function).items()}

    assert found["calls of work"] == 1
    assert found["default 0 of work"] == {1: 1}
    assert found["default 0 of Thing.keep"] == []
    assert found["work.last"] == (1,)


EVASIVE = """
    import contextvars
    import functools

    class Proxy:
        def __getattribute__(self, name):
            raise RuntimeError("stands for nothing yet")

    class Local:
        def __getattr__(self, name):
            raise RuntimeError("not now")

    proxy, local = Proxy(), Local()
    stack = contextvars.ContextVar("stack", default=[])
    empty = contextvars.ContextVar("empty")

    class Holder:
        current = Proxy()
"""


def test_what_answers_nothing_is_left_alone(load: Load) -> None:
    module: Any = load(EVASIVE)
    checkpoint = Checkpoint([module])
    surroundings = Surroundings([module])

    module.proxy = None
    checkpoint.restore()

    assert type(module.proxy).__name__ == "Proxy"
    assert surroundings.snapshot({"state": module.proxy})["state"] == "Proxy"


def test_default_of_a_context_variable_is_put_back_and_compared(load: Load) -> None:
    module: Any = load(EVASIVE)
    surroundings = Surroundings([module])
    before = surroundings.snapshot({})

    module.stack.get().append(1)
    after = surroundings.snapshot({})
    surroundings.restore()

    assert after != before
    assert module.stack.get() == []


def test_containers_are_put_back_without_a_call_of_the_program(load: Load) -> None:
    module: Any = load(
        """
        import collections

        class Headers(dict):
            def values(self, key):
                return self[key]

            def __iter__(self):
                raise RuntimeError

            clear = update = __setitem__ = __iter__

        class Order(collections.OrderedDict):
            clear = update = __setitem__ = None

        class Trail(list):
            __iter__ = clear = extend = None

        headers, order, trail = Headers(a=[1]), Order(), Trail([1])
        """
    )
    checkpoint = Checkpoint([module])

    dict.__setitem__(module.headers, "b", 2)
    module.headers["a"].append(2)
    list.append(module.trail, 2)
    checkpoint.restore()

    assert list(dict.items(module.headers)) == [("a", [1])]
    assert list.__len__(module.trail) == 1
