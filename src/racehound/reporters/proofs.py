"""One proof alone, in each format that `prove` and `replay` know."""

import json
from html import escape
from typing import TYPE_CHECKING

from racehound.reporters import json_format, markdown, timeline_html, timeline_svg

if TYPE_CHECKING:
    from collections.abc import Callable

    from racehound.model.proof import Outcome, Proof

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ margin: 2em auto; max-width: 80em; padding: 0 1em; background: #ffffff; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0d1117; }} }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def as_html(proof: "Proof") -> str:
    title = escape(f"{proof.verdict}: {proof.reason}")
    return PAGE.format(title=title, body=timeline_html.render(proof))


def as_json(proof: "Proof") -> str:
    scenario = proof.scenario
    document = {
        "version": json_format.VERSION,
        "proof": json_format.proof_entry(proof),
        "scenario": None
        if scenario is None
        else {"setup": scenario.setup, "prefix": scenario.prefix, "tasks": scenario.tasks},
        "serial": [_outcome(item) for item in proof.serial],
        "outcome": None if proof.outcome is None else _outcome(proof.outcome),
        "masked": proof.masked,
        "confirmation": proof.confirmation,
        "test": proof.test,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _outcome(item: "Outcome") -> dict[str, object]:
    return {"results": item.results, "state": item.state, "order": item.order}


RENDERERS: "dict[str, Callable[[Proof], str]]" = {
    "markdown": markdown.render_proof,
    "json": as_json,
    "html": as_html,
    "svg": timeline_svg.render,
}
"""Beside `text`, which needs to know the terminal."""
