import sys
from types import ModuleType

import pytest

from racehound.errors import UsageError
from racehound.rules.registry import _rule, all_rules, rule_named, selected


def codes(rules: object) -> list[str]:
    return [rule.meta.code for rule in rules]  # type: ignore[attr-defined]  # any iterable of rules


def test_rules_are_found_by_file_name_and_ordered_by_code() -> None:
    found = codes(all_rules())

    assert {"RH102", "RH107"} <= set(found)
    assert found == sorted(found)


@pytest.mark.parametrize("name", ["RH102", "rh102", " RH102 ", "unlocked-read-modify-write"])
def test_rule_answers_to_its_code_and_its_name(name: str) -> None:
    assert rule_named(name).meta.code == "RH102"


def test_unknown_rule_names_near_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown rule: RH102X; did you mean .*RH102.*"):
        rule_named("RH102X")


def test_misspelled_name_names_the_right_one() -> None:
    with pytest.raises(UsageError, match="did you mean inconsistent-guard"):
        rule_named("Inconsistent-Gard")


def test_hopeless_name_points_to_the_list() -> None:
    with pytest.raises(UsageError, match="racehound rules"):
        rule_named("zzz")


def test_all_rules_are_selected_unless_told_otherwise() -> None:
    assert selected() == all_rules()


def test_ignoring_wins_over_selecting() -> None:
    assert codes(selected(["RH102", "RH107"], ["RH102"])) == ["RH107"]


def test_module_without_a_rule_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "empty_rule", ModuleType("empty_rule"))

    with pytest.raises(LookupError, match="empty_rule defines no rule"):
        _rule("empty_rule")
