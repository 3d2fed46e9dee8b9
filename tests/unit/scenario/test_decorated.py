"""Functions behind objects that decorators make."""

from types import SimpleNamespace

from racehound.scenario.decorated import function_behind


def save(name, size) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types


class Command:
    def __init__(self, callback: object) -> None:
        kinds = {"name": "text", "size": "integer"}
        self.callback = callback
        self.params = [SimpleNamespace(name=name, type=SimpleNamespace(name=kind)) for name, kind in kinds.items()]


def test_the_function_of_a_command_is_found_and_knows_which_arguments_are_texts() -> None:
    assert function_behind(Command(save)) == ("callback", save)
    assert save.__annotations__ == {"return": None, "name": str}


def test_functions_classes_and_plain_values_have_none_behind_them() -> None:
    assert [function_behind(value) for value in (save, Command, 1, Command("a"), SimpleNamespace())] == [None] * 5
