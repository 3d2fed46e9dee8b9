"""What containers hold."""

from textwrap import dedent

from racehound.analysis.program import Program
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def test_a_function_that_returns_what_it_returns_itself_is_read() -> None:
    text = """
        import threading
        class Part:
            def __init__(self):
                self._lock = threading.Lock()
                self.runs = 0
            def run(self):
                self.runs += 1
                if self.runs > 3:
                    stop()
        def flat(node):
            if node.is_leaf:
                return [Part()]
            return list(flat(node.child))
        def use(root):
            parts = flat(root)
            for part in parts:
                threading.Thread(target=part.run).start()
        """
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")

    assert [finding.location.line for finding in rule_named("RH102").check(Program.of(module))] == [7]
