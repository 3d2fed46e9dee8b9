import sys
from types import ModuleType

import pytest

from racehound.rules.registry import _rule, all_rules


def codes(rules: object) -> list[str]:
    return [rule.meta.code for rule in rules]  # type: ignore[attr-defined]  # any iterable of rules


def test_rules_are_found_by_file_name_and_ordered_by_code() -> None:
    found = codes(all_rules())

    assert {"RH102", "RH107"} <= set(found)
    assert found == sorted(found)


def test_module_without_a_rule_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "empty_rule", ModuleType("empty_rule"))

    with pytest.raises(LookupError, match="empty_rule defines no rule"):
        _rule("empty_rule")
