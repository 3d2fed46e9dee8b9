import pytest

from racehound.model.naming import doer, in_words


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a task starts in `<module>`", "a task starts in the body of the module"),
        ("`<module>` goes on. `<module>` ends", "The body of the module goes on. The body of the module ends"),
        ("it starts in `<lambda:289:20>`", "it starts in the lambda in line 289"),
        ("it starts in `Pool.<locals>.<lambda:9:0>`", "it starts in the lambda in line 9"),
        ("`<lambda:7:3>` raises", "The lambda in line 7 raises"),
        ("`a < b` and `take`", "`a < b` and `take`"),
    ],
)
def test_nameless_code_is_called_by_its_place(text: str, told: str) -> None:
    assert in_words(text) == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Stock.take", "`Stock.take`"),
        ("main.<locals>.stop", "`main.<locals>.stop`"),
        ("<module>", "the body of the module"),
        ("Arbiter.run.<locals>.<lambda:12:8>", "a lambda in `Arbiter.run`"),
        ("<module>.<locals>.<lambda:12:8>", "a lambda in the body of the module"),
    ],
)
def test_doer_has_a_name_that_people_use(name: str, told: str) -> None:
    assert doer(name) == told
