import re
import subprocess
import sys
from textwrap import dedent
from typing import Any

from behave import then, when
from behave.runner import Context

from drivers.command import racehound

PYTHON_BLOCK = re.compile(r"^(?P<fence>`{3,})python\n(?P<code>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE)


def of_rule(context: Context, rule: str) -> list[dict[str, Any]]:
    return [finding for finding in context.run.findings if finding["rule"] == rule]


@then('rule {rule} accuses "{target}" in "{function}"')
def rule_accuses(context: Context, rule: str, target: str, function: str) -> None:
    told = [finding["message"] + finding["evidence"] + finding["trigger"] for finding in of_rule(context, rule)]

    assert any(target in text and function.rsplit(".", maxsplit=1)[-1] in text for text in told), context.run


@then('rule {rule} accuses the field "{field}"')
def rule_accuses_field(context: Context, rule: str, field: str) -> None:
    assert any(field in finding["message"] for finding in of_rule(context, rule)), context.run


@then("every finding names two operations, a trigger and an impact")
def two_operations(context: Context) -> None:
    assert context.run.findings
    for finding in context.run.findings:
        assert len(finding["related"]) >= 1, finding
        assert finding["trigger"], finding
        assert finding["impact"], finding


@when("I remember the fingerprints")
def remember(context: Context) -> None:
    context.fingerprints = [finding["fingerprint"] for finding in context.run.findings]


@then("the fingerprints are those I remember")
def same_fingerprints(context: Context) -> None:
    assert context.fingerprints
    assert [finding["fingerprint"] for finding in context.run.findings] == context.fingerprints


@then("every finding is proven a race")
def all_races(context: Context) -> None:
    assert {finding["proof"]["verdict"] for finding in context.run.findings} == {"race"}, context.run


@then("every proof has a token, executions and a timeline with a switch between two tasks")
def complete_proofs(context: Context) -> None:
    for finding in context.run.findings:
        proof = finding["proof"]
        assert proof["token"].startswith("rh1-"), proof
        assert proof["executions"] >= 1, proof
        assert len({step["task"] for step in proof["timeline"]}) == 2, proof
        assert any(step["switch"] for step in proof["timeline"]), proof


@then("the proof of {rule} shows two failures recorded and one counted")
def lost_update(context: Context, rule: str) -> None:
    (proof,) = [finding["proof"] for finding in of_rule(context, rule)]
    writes = [step for step in proof["timeline"] if step["operation"] == "write" and "_failures" in step["target"]]

    assert len({step["task"] for step in writes}) == 2, proof
    assert len({step["value"] for step in writes}) == 1, proof


@when("I replay the token of the first finding")
def replay_first(context: Context) -> None:
    context.run = racehound("replay", context.run.findings[0]["proof"]["token"], cwd=context.directory)


@then("every proof is inconclusive and says why")
def inconclusive(context: Context) -> None:
    assert context.run.findings
    for finding in context.run.findings:
        assert finding["proof"]["verdict"] == "inconclusive", finding
        assert finding["proof"]["reason"], finding


@then('every proof is a race and says "{words}"')
def race_with_reason(context: Context, words: str) -> None:
    assert context.run.findings
    for finding in context.run.findings:
        assert finding["proof"]["verdict"] == "race", finding
        assert words in finding["proof"]["reason"], finding


@then("every finding has a patch that is proven safe")
def safe_patches(context: Context) -> None:
    for finding in context.run.findings:
        assert finding["patch"]["proof"]["verdict"] == "safe", finding
        assert finding["patch"]["proof"]["executions"] >= 1, finding


@then('the patch adds "{text}"')
def patch_adds(context: Context, text: str) -> None:
    added = [line for line in context.run.findings[0]["patch"]["diff"].splitlines() if line.startswith("+")]

    assert any(text in line for line in added), added


@then("the report has the headings")
def headings(context: Context) -> None:
    lines = context.run.output.splitlines()
    wanted = [row["heading"] for row in context.table]

    assert [heading for heading in wanted if heading not in lines] == [], context.run


@then("the test of the first reproduction fails")
def reproduction_fails(context: Context) -> None:
    reproduction = context.run.output.split("#### Reproduction", 1)[1]
    block = PYTHON_BLOCK.search(reproduction)
    assert block, reproduction
    path = context.directory / "test_reproduction.py"
    path.write_text(dedent(block["code"]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path.name]
    done = subprocess.run(command, cwd=context.directory, capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed" in done.stdout, done.stdout
