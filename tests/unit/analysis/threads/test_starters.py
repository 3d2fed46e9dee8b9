"""Threads that are started in a roundabout way: the object that they come to is shared all the same."""

from textwrap import dedent, indent

import pytest

from racehound.pipeline.hunt import hunt_text

TABLE = """
    import threading

    class Table:
        def __init__(self):
            self.rows = {}

        def flush(self):
            for name, row in self.rows.items():
                print(name, row)
            self.rows.clear()

        def add(self, name, row):
            self.rows[name] = row
    """

WAYS = {
    "a class of threads keeps a function and calls it": """
        class Ticker(threading.Thread):
            def __init__(self, interval, function):
                threading.Thread.__init__(self)
                self.interval = interval
                self.function = function
                self.finished = threading.Event()

            def run(self):
                while not self.finished.wait(self.interval):
                    self.function()

        class Owner:
            def start(self):
                self.table = Table()
                self.thread = Ticker(1, self.flush)
                self.thread.start()

            def flush(self):
                self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "a class of threads gives its target to its base": """
        class Daemon(threading.Thread):
            def __init__(self, target):
                super().__init__(target=target, daemon=True)

        class Owner:
            def __init__(self):
                self.table = Table()
                self.thread = Daemon(self.loop)
                self.thread.start()

            def loop(self):
                while True:
                    self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "a function of the program starts it": """
        def spawn(function, *arguments):
            thread = threading.Thread(target=function, args=arguments, daemon=True)
            thread.start()
            return thread

        def later(function):
            return spawn(function)

        class Owner:
            def __init__(self):
                self.table = Table()
                later(self.loop)

            def loop(self):
                while True:
                    self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "a nested function comes to an object in a field": """
        class Owner:
            def start(self):
                self.table = Table()

                def loop():
                    while True:
                        self.table.flush()

                threading.Thread(target=loop, daemon=True).start()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "a thread is made with the object that makes it": """
        class Worker(threading.Thread):
            def __init__(self, owner):
                super().__init__()
                self.owner = owner

            def run(self):
                while True:
                    self.owner.flush()

        class Owner:
            def __init__(self):
                self.table = Table()
                self.worker = Worker(self)
                self.worker.start()

            def flush(self):
                self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "the class of the thread is an attribute": """
        class Owner:
            Thread = threading.Thread

            def __init__(self):
                self.table = Table()
                self.thread = self.Thread(target=self.loop)
                self.thread.start()

            def loop(self):
                while True:
                    self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "a derived class says what is done in the thread": """
        class Service:
            def start(self):
                self._thread = threading.Thread(target=self._loop, daemon=True)
                self._thread.start()

            def _loop(self):
                while True:
                    self.periodic()

            def periodic(self):
                raise NotImplementedError

        class Owner(Service):
            def __init__(self):
                self.table = Table()

            def periodic(self):
                self.table.flush()

            def add(self, name, row):
                self.table.add(name, row)
        """,
    "threads come by way of an object that a third one gave them": """
        class Worker(threading.Thread):
            server = None

            def __init__(self, server):
                self.server = server
                super().__init__()

            def run(self):
                while True:
                    self.server.table.add("name", "row")

        class Crew:
            def __init__(self, server):
                self.server = server

            def start(self):
                for _ in range(4):
                    Worker(self.server).start()

        class Server:
            def __init__(self):
                self.table = Table()
                self.crew = Crew(self)

            def tick(self):
                self.table.flush()
        """,
}


def accused(code: str) -> set[str]:
    findings, _, _ = hunt_text(code.encode(), "program.py")
    return {finding.rule for finding in findings}


@pytest.mark.parametrize("way", WAYS)
def test_object_that_a_thread_comes_to_is_shared(way: str) -> None:
    code = dedent(TABLE) + dedent(WAYS[way])

    assert "RH103" in accused(code)


@pytest.mark.parametrize("way", WAYS)
def test_object_with_a_lock_of_its_own_is_left_alone(way: str) -> None:
    code = locked(dedent(TABLE)) + dedent(WAYS[way])

    assert not accused(code) & {"RH101", "RH102", "RH103", "RH107"}


def locked(table: str) -> str:
    """The same class, with a lock that both methods hold."""
    made = "        self.rows = {}\n"
    loop = "        for name, row in self.rows.items():\n            print(name, row)\n"
    steps = [f"{loop}        self.rows.clear()\n", "        self.rows[name] = row\n"]
    for step in (made, *steps):
        assert step in table
    table = table.replace(made, f"{made}        self.mutex = threading.Lock()\n")
    for step in steps:
        table = table.replace(step, f"        with self.mutex:\n{indent(step, '    ')}")
    return table


def test_thread_that_its_starter_waits_for_is_a_step_of_the_starter() -> None:
    code = dedent(TABLE) + dedent("""
        def bounded(function):
            thread = threading.Thread(target=function)
            thread.start()
            thread.join()

        class Owner:
            def __init__(self):
                self.table = Table()

            def flush(self):
                bounded(self.table.flush)

            def add(self, name, row):
                self.table.add(name, row)
        """)

    assert "RH103" not in accused(code)
