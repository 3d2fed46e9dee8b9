"""What goes on beside a thread: its starter, whoever called that one, and a second thread."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

HEAD = """\
import threading
total = 0
def work():
    global total
    total += 1
"""
TALLY = """\
import threading
class Tally:
    def __init__(self):
        self.counts = {}
    def bump(self, key):
        self.counts[key] = self.counts.get(key, 0) + 1
"""
RACY = {
    "the starter goes on": """
        def main():
            global total
            thread = threading.Thread(target=work)
            thread.start()
            total += 1
            thread.join()
        """,
    "the starter calls a helper": """
        def main():
            threading.Thread(target=work).start()
            step()
        def step():
            work()
        """,
    "the caller of the starter goes on": """
        def begin():
            threading.Thread(target=work).start()
        def main():
            begin()
            work()
        """,
    "two threads call one helper": """
        def one():
            work()
        def other():
            work()
        def main():
            threading.Thread(target=one).start()
            threading.Thread(target=other).start()
        """,
    "a pool works beside": """
        from concurrent.futures import ThreadPoolExecutor
        def main():
            pool = ThreadPoolExecutor(1)
            pool.submit(work)
            work()
        """,
    "a thread of a class": """
        class Worker(threading.Thread):
            def run(self):
                work()
        def main():
            worker = Worker()
            worker.start()
            work()
        """,
}
SOUND = {
    "before the start": """
        def main():
            global total
            total += 1
            threading.Thread(target=work).start()
        """,
    "after the end": """
        def main():
            global total
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            total += 1
        """,
    "before the call that starts": """
        def begin():
            threading.Thread(target=work).start()
        def main():
            global total
            total += 1
            begin()
        """,
    "one thread after the other": """
        def one():
            work()
        def other():
            work()
        def main():
            first = threading.Thread(target=one)
            first.start()
            first.join()
            second = threading.Thread(target=other)
            second.start()
        """,
    "a thread that nobody starts": """
        def main():
            global total
            thread = threading.Thread(target=work)
            total += 1
            return thread
        """,
}
OBJECTS = {
    "of the module": """
        tally = Tally()
        def beat():
            tally.bump("beat")
        def main():
            threading.Thread(target=beat).start()
            tally.bump("main")
        """,
    "passed to the thread": """
        def beat(tally):
            tally.bump("beat")
        def main():
            tally = Tally()
            threading.Thread(target=beat, args=(tally,)).start()
            tally.bump("main")
        """,
    "in a closure": """
        def main():
            tally = Tally()
            def beat():
                tally.bump("beat")
            threading.Thread(target=beat).start()
            tally.bump("main")
        """,
    "given to a thread of a class": """
        class Worker(threading.Thread):
            def __init__(self, tally: Tally):
                super().__init__()
                self.tally = tally
            def run(self):
                self.tally.bump("worker")
        def main():
            tally = Tally()
            worker = Worker(tally)
            worker.start()
            tally.bump("main")
        """,
    "given to several threads of a class": """
        class Worker(threading.Thread):
            def __init__(self, tally):
                super().__init__()
                self.tally = tally
            def run(self):
                self.tally.bump("worker")
        def main():
            tally = Tally()
            workers = [Worker(tally) for _ in range(4)]
            for worker in workers:
                worker.start()
        """,
    "made in a block of the module": """
        if __name__ == "__main__":
            tally = Tally()
            for key in "ab":
                threading.Thread(target=tally.bump, args=(key,)).start()
        """,
    "of a service that starts its thread": """
        class Service(Tally):
            def start(self):
                threading.Thread(target=self._beat).start()
            def _beat(self):
                self.bump("beat")
        def main():
            service = Service()
            service.start()
            service.bump("main")
        """,
    "of a service that starts when it is made": """
        class Service(Tally):
            def __init__(self):
                super().__init__()
                threading.Thread(target=self._beat).start()
            def _beat(self):
                self.bump("beat")
        def main():
            service = Service()
            service.bump("main")
        """,
}


def accused(text: str) -> list[tuple[Confidence, str, str]]:
    program = Program.of(SourceModule.from_text(text))
    found = rule_named("RH102").check(program)
    return [
        (item.confidence, item.first.context, item.second.context) for item in found if item.confidence.rank < 2
    ]


@pytest.mark.parametrize("name", RACY)
def test_what_runs_beside_a_thread_is_accused_with_both_contexts(name: str) -> None:
    found = accused(HEAD + dedent(RACY[name]))

    assert found
    assert all(confidence is Confidence.CERTAIN and first != second for confidence, first, second in found)


@pytest.mark.parametrize("name", SOUND)
def test_what_is_over_or_has_not_begun_is_not(name: str) -> None:
    assert accused(HEAD + dedent(SOUND[name])) == []


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_that_both_have_is_accused(name: str) -> None:
    assert [item[0] for item in accused(TALLY + dedent(OBJECTS[name]))] == [Confidence.CERTAIN]


def test_an_object_that_each_of_several_threads_makes_is_not() -> None:
    own = """
        class Worker(threading.Thread):
            def __init__(self, name):
                super().__init__()
                self.tally = Tally()
            def run(self):
                self.tally.bump("worker")
        def main():
            workers = [Worker(name) for name in "ab"]
            for worker in workers:
                worker.start()
        """

    assert accused(TALLY + dedent(own)) == []


def test_an_object_of_which_each_has_its_own_is_not() -> None:
    own = """
        def beat():
            tally = Tally()
            tally.bump("beat")
        def main():
            tally = Tally()
            threading.Thread(target=beat).start()
            tally.bump("main")
        """

    assert accused(TALLY + dedent(own)) == []
