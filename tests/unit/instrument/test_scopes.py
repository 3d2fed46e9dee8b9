"""Which names can change while a function runs, and where they live."""

import ast
import textwrap

import pytest

from racehound.instrument.scopes import Function, Scope, ScopeTable


def scopes_of(source: str) -> dict[str, Scope]:
    tree = ast.parse(textwrap.dedent(source))
    table = ScopeTable(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return {getattr(node, "name", "lambda"): table.of(node) for node in functions}


def test_local_variable_is_nobody_elses() -> None:
    scopes = scopes_of("def f(a, *b, c=1, **d):\n    e = a\n    return e")

    assert [scopes["f"].home_of(name) for name in "abcde"] == [None] * 5


def test_global_that_no_function_rebinds_is_not_shared() -> None:
    scopes = scopes_of("g = 1\ndef f(): return g")

    assert scopes["f"].home_of("g") is None


def test_global_that_some_function_rebinds_is_shared_by_all() -> None:
    scopes = scopes_of("def f(): return g\ndef h():\n    global g\n    g = 1")

    assert scopes["f"].home_of("g") == scopes["h"].home_of("g") == ""


def test_local_variable_of_the_same_name_is_not_shared() -> None:
    scopes = scopes_of("def f():\n    g = 2\n    return g\ndef h():\n    global g\n    g = 1")

    assert scopes["f"].home_of("g") is None


def test_nonlocal_lives_in_the_function_that_binds_it() -> None:
    source = """
        def outer():
            n = 0
            def middle():
                def inner():
                    nonlocal n
                    n += 1
                return inner
            return middle
        """
    scopes = scopes_of(source)

    homes = {scopes[name].home_of("n") for name in ("outer", "middle", "inner")}
    assert homes == {"outer:2:0"}


def test_variable_bound_once_is_safe_to_close_over() -> None:
    scopes = scopes_of("def f():\n    n = 1\n    return lambda: n")

    assert scopes["lambda"].home_of("n") is None


@pytest.mark.parametrize(
    "body",
    [
        "n = 1\n    g = lambda: n\n    n = 2",
        "for n in range(3): g = lambda: n",
        "while True:\n        n = 1\n        g = lambda: n",
    ],
)
def test_variable_bound_again_while_a_closure_reads_it_is_shared(body: str) -> None:
    scopes = scopes_of(f"def f():\n    {body}")

    assert scopes["f"].home_of("n") == scopes["lambda"].home_of("n") == "f:1:0"


def test_variable_of_a_comprehension_does_not_hide_a_global() -> None:
    scopes = scopes_of("def f():\n    [n for n in range(3)]\n    return n\ndef g():\n    global n\n    n = 1")

    assert scopes["f"].home_of("n") == ""


def test_walrus_in_a_comprehension_binds_in_the_function() -> None:
    scopes = scopes_of("def f():\n    [(n := i) for i in range(3)]\ndef g():\n    global n\n    n = 1")

    assert scopes["f"].home_of("n") is None


def test_names_of_a_class_body_are_not_those_of_its_methods() -> None:
    scopes = scopes_of("class C:\n    n = 1\n    def f(self): return n\ndef g():\n    global n\n    n = 1")

    assert scopes["f"].home_of("n") == ""


def test_defaults_and_decorators_are_evaluated_outside() -> None:
    source = "def f():\n    n = 1\n    n = 2\n    @(lambda x: n)\n    def g(a=(lambda: n)): pass"

    assert scopes_of(source)["f"].cells == {"n"}


@pytest.mark.parametrize(
    ("statement", "form"),
    [
        ("try: pass\n    except E as g: pass", "ExceptHandler"),
        ("import g", "Import"),
        ("from a import b as g", "ImportFrom"),
        ("def g(): pass", "FunctionDef"),
        ("class g: pass", "ClassDef"),
        ("match 1:\n        case g: pass", "MatchAs"),
        ("match 1:\n        case [*g]: pass", "MatchStar"),
        ("match 1:\n        case {**g}: pass", "MatchMapping"),
    ],
)
def test_binding_without_an_expression_is_named(statement: str, form: str) -> None:
    scopes = scopes_of(f"def f():\n    global g\n    {statement}")

    assert scopes["f"].unseen == [f"`g`, which other functions use, is bound by {form} unseen"]


def test_binding_of_a_variable_that_only_an_inner_function_shares_is_named() -> None:
    scopes = scopes_of("def f():\n    import g\n    def h():\n        nonlocal g\n        g = 1")

    assert scopes["f"].unseen == ["`g`, which other functions use, is bound by Import unseen"]


@pytest.mark.parametrize("call", ["globals()", "exec('a')", "eval('a')"])
def test_reaching_around_the_rewriting_is_named(call: str) -> None:
    scopes = scopes_of(f"def f():\n    {call}")

    assert scopes["f"].unseen == [f"`{call.partition('(')[0]}` reaches names and attributes unseen"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("'doc'\n        n = 1\n        m: int\n        def f(self): pass", False),
        ("n = other.n", True),
        ("pass", False),
    ],
)
def test_class_body_inside_a_function_is_named_if_it_does_something(body: str, named: bool) -> None:
    scopes = scopes_of(f"def f():\n    class C:\n        {body}")

    assert bool(scopes["f"].unseen) is named
