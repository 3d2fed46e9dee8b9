"""Signs in services and workers that make a finding one to be told, and the same code without the sign."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Severity
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

CASES = Path(__file__).parents[2] / "rules"


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(text, "app.py"))))


def shown(code: str, text: str) -> list[int]:
    return [found.location.line for found in findings(code, text) if found.confidence.is_shown]


FILES = [
    ("RH101", "bad_handlers_of_a_factory", "from flask import Flask\n", ""),
    ("RH101", "bad_promises", "        return path\n    return seen", "        pass\n    return seen"),
    ("RH101", "bad_promises", "self.value = self.factory()", "print(self.factory)"),
    ("RH101", "bad_one_of_a_class", "@singleton\n", ""),
    ("RH101", "bad_steps_to_a_state", "raise ValueError(label)", "return None"),
    ("RH102", "bad_decided_by_answer", "Fetcher(part, report, 1000)", "Fetcher(part, Report(), 1000)"),
    ("RH102", "bad_behind_properties", "self.accounts.get(owner)", "Account(0)"),
    ("RH301", "bad_made_with_one_object", "Agent(name, budget)", "Agent(name, Budget(250))"),
    ("RH301", "bad_server_as_argument", "ls: Server", "ls: Made"),
    ("RH303", "bad_threads_wait", "args=(buffer,)", "args=(Buffer(),)"),
    ("RH401", "bad_removed_by_a_sweep", "os.scandir(self.root)", "os.scandir(self.drafts)"),
    ("RH401", "bad_several_of_these", "Several of these may run", "It runs"),
]


@pytest.mark.parametrize(("code", "name", "sign", "without"), FILES)
def test_sign_makes_the_difference(code: str, name: str, sign: str, without: str) -> None:
    text = (CASES / code.lower() / f"{name}.py").read_text("utf-8")
    assert sign in text

    with_it, without_it = shown(code, text), shown(code, text.replace(sign, without))

    assert with_it
    assert len(without_it) < len(with_it)


def test_count_that_a_caller_decides_by_is_no_figure() -> None:
    text = (CASES / "rh102" / "bad_decided_by_answer.py").read_text("utf-8")
    told = text.replace("if self.report.left(self.quota) <= 0:", "if not url:")

    severities = [finding.severity for version in (text, told) for finding in findings("RH102", version)]

    assert severities == [Severity.ERROR, Severity.WARNING]


HISTOGRAM = """
    import threading

    class Histogram:
        def __init__(self):
            self.total = 0.0
            self.observed = 0
            self._lock = threading.Lock()

        def observe(self, seconds):
            with self._lock:
                self.total += seconds
                self.observed += 1

        def mean(self):
            with self._lock:
                return self.total / self.observed if self.observed else 0.0

        def reset(self):
            self.total = 0.0
            self.observed = 0

    class Reporter(threading.Thread):
        def __init__(self, histograms: dict[str, Histogram]):
            super().__init__()
            self.histograms = histograms

        def run(self):
            for route, histogram in self.histograms.items():
                print(route, histogram.mean())
                {does}
    """


def test_thread_that_begins_anew_is_at_work() -> None:
    at_work, idle = (dedent(HISTOGRAM.format(does=does)) for does in ("histogram.reset()", "pass"))

    assert shown("RH107", at_work)
    assert findings("RH107", idle)
    assert not shown("RH107", idle)


def test_loop_of_a_module_that_has_no_coroutine() -> None:
    client = """
        import asyncio

        slots = asyncio.Semaphore(4)

        async def fetch(url):
            async with slots:
                await asyncio.sleep(1)
        """
    batch = """
        import asyncio
        import threading

        from client import fetch

        def process(url):
            asyncio.run(fetch(url))

        def main(urls):
            for url in urls:
                threading.Thread(target=process, args=(url,)).start()
        """
    modules = [
        SourceModule.from_text(dedent(text), path) for text, path in ((client, "client.py"), (batch, "batch.py"))
    ]

    (found,) = rule_named("RH308").check(Program.of(*modules))

    assert found.location.path == "client.py"


def test_list_of_what_is_in_a_list_comes_to_an_end() -> None:
    text = """
        import threading

        class Node:
            def children(self):
                return [Node()]

        def visit(nodes):
            for node in nodes:
                visit(node.children())
                threading.Thread(target=node.children).start()

        def main():
            visit(Node().children())
        """

    assert not shown("RH101", dedent(text))
