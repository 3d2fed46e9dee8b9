"""What is a test: what tests share says little of what programs share, and a test is alone with what it makes."""

import re

from racehound.analysis.meaning.hierarchy import Hierarchy, outer_method
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_TESTS = frozenset({"test", "tests", "testing"})
_FILE = re.compile(r"(test_\w*|\w+_tests?|tests?|conftest)\.py")
_SERVES = re.compile(r"_?(testing|test_?(base|case|client|helpers?|tools|utils)|pytest_(fixtures|plugin))")
"""What a package has for those who test: each test is alone with what it takes from there."""
_FRAMEWORKS = frozenset({"pytest", "unittest"})
_CASE = re.compile(r"TestCase")
_NAMED = re.compile(r"^Test|Tests?$")


def is_test(module: ModuleFacts) -> bool:
    *directories, name = module.path.replace("\\", "/").split("/")
    return not _TESTS.isdisjoint(directories) or name.startswith("test_") or name in {"conftest.py", "tests.py"}


def lies_among_tests(module: ModuleFacts) -> bool:
    """True for a file in a directory of tests, whatever its own name: it helps them."""
    return not _TESTS.isdisjoint(module.path.replace("\\", "/").split("/")[:-1])


def is_in_a_test(hierarchy: Hierarchy, function: FunctionFacts) -> bool:
    """True inside a test function, a fixture, and a method of a test case, wherever their file lies.

    A function of a program may be called `test_connection`: only in a file of tests is it taken for one. What else
    lies in such a file helps the tests, if it knows what runs them.
    """
    owner = outer_method(function).owner
    return is_written_as_test(function) or (owner is not None and _is_test_case(hierarchy, owner))


def is_written_as_test(function: FunctionFacts) -> bool:
    """So far as its own class and file say."""
    outer = outer_method(function)
    if any((place.attributes or (place.root,))[-1] == "fixture" for place in outer.decorators):
        return True
    bases = outer.owner.bases if outer.owner is not None else ()
    if any(_CASE.search((place.attributes or (place.root,))[-1]) for place in bases):
        return True
    *directories, name = outer.module.path.replace("\\", "/").split("/")
    if any(map(_SERVES.fullmatch, (*directories, name.removesuffix(".py")))):
        return True
    if _FILE.fullmatch(name) is None:
        return False
    origins = {part for origin in outer.module.imports.values() for part in origin.split(".")}
    named = outer.owner is None and outer.name.startswith("test_")
    return named or not _FRAMEWORKS.isdisjoint(origins)


def _is_test_case(hierarchy: Hierarchy, owner: ClassFacts) -> bool:
    """True by a base that is one, or by a name that says so and a method that is a test."""
    bases = hierarchy.linear(owner)
    names = ((place.attributes or (place.root,))[-1] for base in bases for place in base.bases)
    if any(_CASE.search(name) for name in names):
        return True
    tests = any(name.startswith("test") for base in bases for name in base.methods)
    return tests and _NAMED.search(owner.name) is not None
