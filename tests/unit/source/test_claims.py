"""What is said of a class, and where it is said."""

from textwrap import dedent

import pytest

from racehound.source.claims import claims_processes, claims_thread_safety
from racehound.source.extraction import extract
from racehound.source.module import SourceModule


@pytest.mark.parametrize(
    ("docstring", "claims"),
    [
        ("Thread-safe: state is only changed by its owner.", True),
        ("A counter that is thread safe.", True),
        ("A threadsafe map.", True),
        ("Not thread-safe.", False),
        ("This isn't thread-safe.", False),
        ("A non-thread-safe counter.", False),
        ("Implementations must be thread-safe.", False),
        ("Says nothing of thread safety.", False),
        ("A thread-safe object for read operations.", False),
        ("Thread-safe, but its children are not thread-safe.", False),
        ("Not copyable, but for all that is known today: thread-safe.", True),
        ("All methods may be called concurrently from multiple threads.", True),
        ("One pool, used by several worker threads.", True),
        ("It may not be used from different threads.", False),
        ("TODO: make this thread-safe.", False),
        ("Breaks if called from several threads.", False),
        ("A cache for a multi-threaded crawler.", True),
        ("Scores, updated by the threads of a server.", True),
        ("Sessions that are read and written by the request threads.", True),
        ("Updated by a background thread.", False),
        ("Must not be changed by the worker threads.", False),
    ],
)
def test_claims_of_thread_safety_are_told_from_denials(docstring: str, claims: bool) -> None:
    assert claims_thread_safety(docstring) is claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ('"""A thread-safe store.\n\nMore of it."""\n\nclass Store: pass', True),
        ('"""A store.\n\nOne part is thread-safe."""\n\nclass Store: pass', False),
        ("# Thread-safe: workers share it.\nclass Store: pass", True),
        ("# Thread-safe: workers share it.\n@final\nclass Store: pass", True),
        ("# Thread-safe: workers share it.\nx = 1\nclass Store: pass", False),
        ("class Store:\n    # Threads: it is thread-safe.\n    size = 0\n    def get(self): pass", True),
        ("class Store:\n    def get(self): pass\n    # thread-safe", False),
        ('"""Thread-safe."""\nclass Store:\n    """For one thread only."""', False),
    ],
)
def test_claim_counts_where_it_speaks_of_the_class(text: str, claims: bool) -> None:
    facts = extract(SourceModule.from_text(dedent(text)))

    assert facts.classes[0].claims_thread_safety is claims


@pytest.mark.parametrize(
    ("docstring", "claims"),
    [
        ("Several builds share one directory.", True),
        ("A spool from which multiple delivery processes take messages.", True),
        ("Used by other processes as well.", True),
        ("Starts several processes.", False),
        ("It must not be used by several processes.", False),
        ("Takes messages. Several processes.", False),
    ],
)
def test_claims_of_processes_say_that_they_use_something(docstring: str, claims: bool) -> None:
    assert claims_processes(docstring) is claims
