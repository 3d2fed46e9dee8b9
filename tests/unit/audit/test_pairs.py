from pathlib import Path

import pytest

from racehound.audit.programs import located, script_of
from racehound.audit.schedule import Schedule
from racehound.audit.template import pair_of, pairs_of
from racehound.audit.tokens import Recipe, is_audit_token, recipe_of
from racehound.errors import UsageError
from racehound.model.schedule import encode_token
from racehound.processes.calls import Point


def test_a_template_gives_siblings_new_keys_and_the_same_key() -> None:
    sibling, new, same = pairs_of("tool set k{i} v{i}")

    assert (sibling.first, sibling.second, sibling.prepare) == (
        "tool set k1 v1",
        "tool set k2 v2",
        ("tool set k0 v0",),
    )
    assert (new.first, new.second, new.prepare) == ("tool set k1 v1", "tool set k2 v2", ())
    assert same.first == same.second == "tool set k1 v1"


def test_a_key_of_its_own_lets_the_same_key_get_two_values() -> None:
    *_, same = pairs_of("tool set {key} v{i}")

    assert (same.first, same.second, same.prepare) == ("tool set k0 v1", "tool set k0 v2", ("tool set k0 v0",))


def test_a_command_without_a_place_is_raced_against_itself() -> None:
    (pair,) = pairs_of("tool build")

    assert pair.first == pair.second == "tool build"


def test_two_commands_are_one_pair_and_one_is_none() -> None:
    assert pair_of("x", "y").second == "y"
    with pytest.raises(UsageError, match="belong together"):
        pair_of("x", None)


def test_a_script_is_found_from_the_directory_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("")

    assert located("python3 tool.py set f", tmp_path) == f"python3 {tmp_path}/tool.py set f"
    assert located("./tool.py x", tmp_path) == f"{tmp_path}/tool.py x"
    assert script_of(f"python3 {tmp_path}/tool.py x") == tmp_path / "tool.py"


@pytest.mark.parametrize(
    "text", ["sed -i x tool.py", "python3 -m tool", "python3 absent.py", "cat tool.py | sort", "./absent"]
)
def test_nothing_else_is_led_to_the_files_of_the_caller(tmp_path: Path, text: str) -> None:
    (tmp_path / "tool.py").write_text("")

    assert located(text, tmp_path) == text


def test_a_program_is_found_on_the_path_and_a_shell_line_has_none() -> None:
    found = script_of("sed -i x f")

    assert found is not None
    assert found.name == "sed"
    assert script_of("a | b") is None
    assert script_of("no-such-program-anywhere") is None


RECIPE = Recipe(
    first="a",
    second="b",
    setup=("s",),
    view=None,
    schedule=Schedule(Point("rename", "work/f", 2), exchanged=True, then=(Point("write", "work/g"),)),
)


def test_a_token_carries_all_that_a_replay_needs() -> None:
    token = RECIPE.token()

    assert is_audit_token(token)
    assert recipe_of(token) == RECIPE
    assert str(RECIPE.schedule) == "B before rename work/f #2, then A before write work/g #1"


def test_a_token_without_a_schedule_names_none() -> None:
    recipe = Recipe(first="a", second="b", setup=(), view="v")

    assert recipe_of(recipe.token()) == recipe


def test_a_token_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="does not name a schedule"):
        recipe_of(encode_token({"audit": {"a": 1}}))
