"""Which files are tests: what they share says little of what programs share."""

from racehound.source.facts import ModuleFacts

_TESTS = frozenset({"test", "tests", "testing"})


def is_test(module: ModuleFacts) -> bool:
    *directories, name = module.path.replace("\\", "/").split("/")
    return not _TESTS.isdisjoint(directories) or name.startswith("test_") or name in {"conftest.py", "tests.py"}
