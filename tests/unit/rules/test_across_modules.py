"""What lies in several files is found as well: the threads here, the state and the locks there."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

CACHE = """
    class Cache:
        def __init__(self):
            self._rows = {}
            self._client = None
            self._user = None

        def get(self, key):
            if key in self._rows:
                return self._rows[key]

        def drop(self, key):
            self._rows.pop(key, None)

        def names(self):
            return [name for name in self._rows]

        def client(self):
            if self._client is None:
                self._client = connect()
            return self._client

        def serve(self, user):
            self._user = user
            self.client()
            return self._user
    """
WORKERS = """
    from concurrent.futures import ThreadPoolExecutor
    from app.cache import Cache

    cache = Cache()

    def work(key):
        cache.get(key)
        cache.drop(key)
        cache.names()
        cache.client()
        cache.serve(key)

    def main(keys):
        with ThreadPoolExecutor() as pool:
            pool.map(work, keys)
    """
BANK = """
    import threading
    from app.ledger import Ledger

    class Bank:
        def __init__(self):
            self._lock = threading.Lock()
            self.ledger = Ledger(self)

        def pay(self):
            with self._lock:
                self.ledger.write()

        def total(self):
            with self._lock:
                return 1
    """
LEDGER = """
    import threading
    from app import bank

    class Ledger:
        def __init__(self, owner: bank.Bank):
            self._mutex = threading.Lock()
            self._owner = owner

        def write(self):
            with self._mutex:
                pass

        def check(self):
            with self._mutex:
                return self._owner.total()
    """


def findings(code: str, **sources: str) -> list[Finding]:
    modules = [SourceModule.from_text(dedent(text).lstrip(), f"app/{name}.py") for name, text in sources.items()]
    return list(rule_named(code).check(Program.of(*modules)))


@pytest.mark.parametrize(("code", "line"), [("RH101", 8), ("RH103", 15), ("RH105", 18), ("RH108", 23)])
def test_state_of_one_module_is_used_by_the_threads_of_another(code: str, line: int) -> None:
    (finding,) = findings(code, cache=CACHE, workers=WORKERS)

    assert (finding.location.path, finding.location.line) == ("app/cache.py", line)
    assert finding.confidence is Confidence.CERTAIN
    assert finding.first.context == "a pool thread started at app/workers.py:15"
    assert finding.subject.class_name == "Cache"


def test_nobody_is_accused_without_the_threads() -> None:
    assert [findings(code, cache=CACHE) for code in ("RH101", "RH103", "RH105", "RH108")] == [[], [], [], []]


TABLE = """
    class Table:
        def __init__(self):
            self.rows = {}

        def put(self, name):
            self.rows[name] = name

        def show(self):
            for name in self.rows:
                print(name)
    """
CREW = """
    import threading

    class Worker(threading.Thread):
        def __init__(self, server):
            super().__init__()
            self.server = server

        def run(self):
            self.server.table.put(self.name)

    class Crew:
        def __init__(self, server):
            self.server = server

        def start(self):
            for _ in range(4):
                Worker(self.server).start()
    """
SERVER = """
    from app.crew import Crew
    from app.table import Table

    class Server:
        def __init__(self):
            self.table = Table()
            self.crew = Crew(self)

        def tick(self):
            self.table.show()
    """


def test_threads_come_by_what_the_constructor_was_given_in_another_module() -> None:
    (finding,) = findings("RH103", table=TABLE, crew=CREW, server=SERVER)

    assert (finding.location.path, finding.location.line) == ("app/table.py", 9)
    assert finding.confidence is Confidence.LIKELY


def test_what_other_modules_do_not_agree_on_says_nothing_of_the_object() -> None:
    other = """
        from app.crew import Crew

        class Stage:
            def __init__(self):
                self.table = []
                self.crew = Crew(self)
        """

    found = findings("RH103", table=TABLE, crew=CREW, server=SERVER, stage=other)

    assert [item for item in found if item.confidence is not Confidence.POSSIBLE] == []


def test_locks_of_two_modules_are_taken_in_two_orders() -> None:
    (finding,) = findings("RH201", bank=BANK, ledger=LEDGER)

    assert str(finding.location) == "app/bank.py:11"
    assert str(finding.second.location) == "app/ledger.py:15"
    assert finding.subject.functions == ("pay", "check")
    assert finding.subject.fields == ("_lock", "_mutex")
    assert "holds `_lock` and waits for `_mutex`" in finding.trigger
    assert finding.evidence == "self.ledger.write()  # line 11"


def test_plain_lock_that_a_base_class_of_another_module_holds_is_not_taken_again() -> None:
    derived = """
        from app.bank import Bank

        class Branch(Bank):
            def audit(self):
                with self._lock:
                    return self.total()
        """
    (finding,) = findings("RH203", bank=BANK, ledger=LEDGER, branch=derived)

    assert finding.location.path == "app/branch.py"
    assert finding.message == "`_lock` is taken in `total` by a thread that holds it already, in `audit`"


@pytest.mark.parametrize(("path", "count"), [("app/main.py", 1), ("app/tests/test_link.py", 0)])
def test_the_threads_of_a_test_say_little_of_those_of_programs(path: str, count: int) -> None:
    link = """
        import asyncio

        class Link:
            def __init__(self):
                self._lines = asyncio.Queue()

            def put(self, line):
                self._lines.put_nowait(line)
        """
    starter = """
        import threading
        from app.link import Link

        link = Link()

        def work():
            link.put("line")

        def beside():
            threading.Thread(target=work).start()
        """
    program = Program.of(
        SourceModule.from_text(dedent(link), "app/link.py"), SourceModule.from_text(dedent(starter), path)
    )

    assert len(list(rule_named("RH309").check(program))) == count


STATE = """
    import threading

    table = {}
    count = 0
    busy = threading.Lock()
    free = threading.Lock()

    def swap():
        with busy:
            with free:
                table.clear()
    """
IMPORTING = """
    import threading
    from app import state

    def work(key):
        if key in state.table:
            del state.table[key]
        state.count += 1
        print(state.count)

    def main(keys):
        for key in keys:
            threading.Thread(target=work, args=(key,)).start()
    """
NAMING = """
    import threading
    from app.state import table

    def work(key):
        if key in table:
            del table[key]

    def main(keys):
        for key in keys:
            threading.Thread(target=work, args=(key,)).start()
    """


@pytest.mark.parametrize(
    ("code", "text", "line"), [("RH101", IMPORTING, 5), ("RH102", IMPORTING, 7), ("RH101", NAMING, 5)]
)
def test_threads_change_variables_of_a_module_that_knows_none(code: str, text: str, line: int) -> None:
    (finding,) = findings(code, state=STATE, work=text)

    assert str(finding.location) == f"app/work.py:{line}"
    assert finding.confidence is Confidence.CERTAIN


def test_variables_of_another_module_are_guarded_by_a_lock_of_it() -> None:
    locked = IMPORTING.replace("def work(key):", "def work(key):\n      with state.busy:")

    assert findings("RH101", state=STATE, work=locked) == findings("RH102", state=STATE, work=locked) == []


def test_a_lock_is_the_same_by_whichever_name_modules_know_it() -> None:
    other = """
        import threading
        from app import state
        from app.state import busy as taken

        def work():
            with state.free:
                with taken:
                    pass

        def main():
            threading.Thread(target=work).start()
            threading.Thread(target=state.swap).start()
        """
    (finding,) = findings("RH201", state=STATE, work=other)

    assert finding.subject.fields == ("busy", "free")


SHOP = """
    class Store:
        def __init__(self):
            self.rows = {}

        def __call__(self, key):
            if key in self.rows:
                del self.rows[key]

    store = Store()
    """


@pytest.mark.parametrize(
    ("imported", "call"),
    [("from app.shop import store", "store(key)"), ("from app import shop", "shop.store(key)")],
)
def test_an_object_that_another_module_keeps_is_shared(imported: str, call: str) -> None:
    work = f"""
        from concurrent.futures import ThreadPoolExecutor
        {imported}

        def work(key):
            {call}

        def main(keys):
            with ThreadPoolExecutor() as pool:
                pool.map(work, keys)
        """
    (finding,) = findings("RH101", shop=SHOP, work=work)

    assert str(finding.location) == "app/shop.py:6"


def test_a_class_method_of_a_base_gives_objects_of_the_class_that_is_asked() -> None:
    base = """
        import threading

        class Single:
            _only = None
            _making = threading.Lock()

            @classmethod
            def get(cls):
                with cls._making:
                    if cls._only is None:
                        cls._only = cls()
                    return cls._only
        """
    bus = """
        from concurrent.futures import ThreadPoolExecutor
        from app.base import Single

        class Bus(Single):
            def __init__(self):
                self.rows = {}

            def drop(self, key):
                if key in self.rows:
                    del self.rows[key]

        def main(keys):
            with ThreadPoolExecutor() as pool:
                pool.map(lambda key: Bus.get().drop(key), keys)
        """
    (finding,) = findings("RH101", base=base, bus=bus)

    assert str(finding.location) == "app/bus.py:9"


PRESENCE = """
    online = {}
    pending = {}
    score = 0

    def enter(user):
        online[user.name] = user

    def leave(user):
        online.pop(user.name, None)

    class Engine:
        current = None
        started = False
    """
SESSIONS = """
    import threading

    from app import state
    from app.state import Engine

    def announce(text):
        for user in state.online.values():
            user.send(text)

    def count(user, data):
        state.pending[user.name] = state.pending.get(user.name, 0) + len(data)

    def engine():
        if Engine.current is None:
            Engine.current = Engine()
            Engine.current.start()
        return Engine.current

    def goal(points):
        state.score = state.score + points

    def session(user):
        goal(1)
        state.enter(user)
        announce(user.name)
        count(user, engine().read())
        state.leave(user)

    def serve(server):
        for user in server:
            threading.Thread(target=session, args=(user,)).start()
    """


@pytest.mark.parametrize(("code", "lines"), [("RH103", [7]), ("RH102", [11, 20]), ("RH106", [14])])
def test_what_another_module_keeps_is_used_by_its_name_there(code: str, lines: list[int]) -> None:
    found = findings(code, state=PRESENCE, sessions=SESSIONS)

    assert [str(finding.location) for finding in found] == [f"app/sessions.py:{line}" for line in lines]


REGISTRY = """
    class Registry:
        _instance = None

        @classmethod
        def instance(cls):
            if cls._instance is None:
                cls._instance = Registry()
            return cls._instance

        def __init__(self):
            self.parts = {}

        def add(self, name, part):
            self.parts[name] = part
    """
WORKER = """
    import threading
    from app.registry import Registry

    class Worker(threading.Thread):
        def run(self):
            self.step()
    """


@pytest.mark.parametrize(
    ("other", "confidence"),
    [(WORKER, Confidence.LIKELY), (WORKER.replace("threading", "sched"), Confidence.POSSIBLE)],
)
def test_whoever_asks_for_the_one_object_may_be_a_thread_of_another_module(
    other: str, confidence: Confidence
) -> None:
    modules = [
        SourceModule.from_text(dedent(REGISTRY).lstrip(), "app/registry.py"),
        SourceModule.from_text(dedent(other).lstrip(), "app/worker.py"),
    ]

    (finding,) = rule_named("RH106").check(Program.of(*modules))

    assert finding.confidence is confidence


CROSSED = """
    import threading

    class Pair:
        def __init__(self):
            self.left = threading.Lock()
            self.right = threading.Lock()
        def forward(self):
            with self.left, self.right:
                pass
        def backward(self):
            with self.right, self.left:
                pass

    def main():
        pair = Pair()
        first = threading.Thread(target=pair.forward)
        first.start()
        first.join()
        pair.backward()

    if __name__ == "__main__":
        main()
    """
NAMESAKE = """
    class Tape:
        def forward(self):
            pass

    def play(button):
        tape = Tape()
        button.on_press(tape.forward)
    """


def test_steps_in_turn_are_not_mistaken_for_those_of_another_class() -> None:
    alone = Program.of(SourceModule.from_text(dedent(CROSSED), "pair.py"))
    beside = Program.of(
        SourceModule.from_text(dedent(CROSSED), "pair.py"), SourceModule.from_text(dedent(NAMESAKE), "tape.py")
    )
    meant = Program.of(
        SourceModule.from_text(dedent(CROSSED), "pair.py"),
        SourceModule.from_text(dedent(NAMESAKE).replace("Tape()", "unknown()"), "tape.py"),
    )
    rule = rule_named("RH201")

    assert [len(list(rule.check(program))) for program in (alone, beside, meant)] == [0, 0, 1]


STARTER = """
    from concurrent.futures import ThreadPoolExecutor

    class Job:
        def __init__(self):
            self.parts = {}
        def run(self):
            self.parts[1] = self.parts.get(1, 0) + 1

    def schedule(pool, job: Job):
        pool.submit(job.run)

    def main(paths):
        with ThreadPoolExecutor() as pool:
            for path in paths:
                schedule(pool, Job())
    """
STRANGER = """
    from elsewhere import schedule

    def other(pool, job):
        schedule(pool, job)
    """


def test_callers_of_another_module_may_give_one_object_to_all() -> None:
    starter = SourceModule.from_text(dedent(STARTER), "app/jobs.py")
    namesake = SourceModule.from_text(
        dedent(STRANGER).replace("schedule\n\n", "place as schedule\n\n"), "app/other.py"
    )
    caller = SourceModule.from_text(dedent(STRANGER).replace("elsewhere", "app.jobs"), "app/other.py")
    rule = rule_named("RH102")

    assert [len(list(rule.check(Program.of(*modules)))) for modules in ([starter], [starter, namesake])] == [0, 0]
    assert len(list(rule.check(Program.of(starter, caller)))) == 1
