"""Names of the builtins and the standard library that neither block nor call back."""

import builtins


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)

QUICK_BUILTINS = EXCEPTIONS | _words("""
    abs all any bin bool bytearray bytes callable chr dict divmod enumerate filter float format frozenset
    getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object oct ord pow
    range repr reversed round set setattr slice sorted str sum super tuple type zip
""")

QUICK_TYPES = _words("Counter Decimal OrderedDict Path PurePath date datetime defaultdict deque timedelta")

QUICK_MODULES = _words("""
    bisect collections copy dataclasses datetime functools heapq itertools logging math operator random re
    secrets statistics string uuid
""")

QUICK_CALLS = _words("""
    os.getpid threading.Event threading.Lock threading.RLock threading.current_thread threading.get_ident
    time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns time.process_time time.time
    time.time_ns
""")

CONTAINER_NAMES = _words("""
    Counter DefaultDict Deque Dict FrozenSet List OrderedDict Set Tuple bytearray defaultdict deque dict
    frozenset list set sorted str tuple
""")

MUTATORS = _words("""
    add append appendleft clear difference_update discard extend extendleft insert intersection_update
    move_to_end pop popitem popleft remove reverse rotate setdefault sort subtract symmetric_difference_update
    update
""")

CONTAINER_METHODS = MUTATORS | _words("""
    copy count difference elements fromkeys get index intersection isdisjoint issubset issuperset items keys
    most_common symmetric_difference total union values
""")

TELLING_METHODS = _words("""
    append appendleft bit_length casefold discard endswith extendleft isdigit isdisjoint isoformat issubset
    issuperset items keys lower lstrip most_common move_to_end partition popitem popleft removeprefix
    removesuffix rpartition rstrip setdefault startswith strip symmetric_difference_update title total_seconds
    upper values zfill
""")
"""Names that, on any object, belong to a container, a string or a number."""

CONDITION_METHODS = _words("notify notifyAll notify_all wait wait_for")
"""What can be asked of a condition by whoever holds its lock, which is not held while it waits."""

EVENT_METHODS = _words("clear isSet is_set set")

LOG_METHODS = _words("critical debug error exception info log warning")

CONSUMERS = _words("all any dict extend frozenset join list max min next set sort sorted sum tuple update")
"""Functions and methods that are done with a lambda or a generator expression when they return."""

IDENTITY = _words("id isinstance super type")
"""Builtins that take an object and call none of its methods."""

SYNCHRONISERS = _words("""
    Barrier BoundedSemaphore Condition ContextVar Event LifoQueue Lock PriorityQueue Queue RLock Semaphore
    SimpleQueue Thread ThreadPoolExecutor Timer local
""")
"""Objects that look after themselves."""
