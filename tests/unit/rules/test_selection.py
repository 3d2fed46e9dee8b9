import pytest

from racehound.errors import UsageError
from racehound.rules.registry import all_rules, rule_named
from racehound.rules.rule import Rule
from racehound.rules.selection import groups, rules_of, selected


def codes(rules: tuple[Rule, ...]) -> list[str]:
    return [rule.meta.code for rule in rules]


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


@pytest.mark.parametrize("group", ["shared-state", "unsafe-dict-access", "orphan-tasks", "lock-across-await"])
def test_each_audit_query_is_a_group_that_can_be_selected(group: str) -> None:
    chosen = selected([group])

    assert chosen == groups()[group]
    assert 1 < len(chosen) < len(all_rules())
    assert set(codes(chosen)).isdisjoint(codes(selected([], [group])))


def test_beginning_of_codes_selects_all_that_begin_so() -> None:
    assert codes(selected(["rh20"])) == [code for code in codes(all_rules()) if code.startswith("RH20")]
    assert selected(["ALL"]) == all_rules()


@pytest.mark.parametrize(
    ("select", "ignore", "runs"),
    [
        (["RH1"], ["RH102"], False),
        (["RH102"], ["RH1"], True),
        (["RH102"], ["ALL"], True),
        (["shared-state"], ["unlocked-read-modify-write"], False),
        (["RH1"], ["shared-state"], True),
        (["RH10"], ["RH10"], False),
    ],
)
def test_more_particular_selector_decides(select: list[str], ignore: list[str], *, runs: bool) -> None:
    assert ("RH102" in codes(selected(select, ignore))) is runs


@pytest.mark.parametrize("unknown", ["RH9", "RH1029", "shared-stat", ""])
def test_selector_that_stands_for_no_rule_is_a_usage_error(unknown: str) -> None:
    with pytest.raises(UsageError, match="unknown rule"):
        selected([], [unknown])
    with pytest.raises(UsageError, match="unknown rule"):
        rules_of(unknown)


def test_misspelled_group_names_the_right_one() -> None:
    with pytest.raises(UsageError, match="did you mean shared-state"):
        selected(["shared-stat"])


def test_one_selector_can_be_looked_up_alone() -> None:
    assert codes(rules_of("RH303")) == ["RH303"]
    assert set(codes(rules_of("lock-across-await"))) >= {"RH303", "RH304"}
