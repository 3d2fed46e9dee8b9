"""The interleaving of a proof as a piece of HTML: a table with one column per task.

It can stand alone in a page or many times in one; it brings its few rules of style along, loads nothing, needs no
script and follows the reader's choice of light or dark.
"""

from collections.abc import Iterator
from html import escape

from racehound.model.proof import Proof
from racehound.reporters import wording
from racehound.reporters.wording import Row

WIDTH = 70
STYLE = """
.rh-proof { --rh-ink: #1f2328; --rh-dim: #59636e; --rh-card: #f6f8fa; --rh-edge: #d1d9e0; --rh-switch: #8250df;
  --rh-bad: #cf222e; --rh-good: #1a7f37; --rh-value: #953800; color: var(--rh-ink); line-height: 1.45;
  font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .rh-proof { --rh-ink: #f0f6fc; --rh-dim: #9198a1; --rh-card: #151b23;
  --rh-edge: #3d444d; --rh-switch: #ab7df8; --rh-bad: #f85149; --rh-good: #3fb950; --rh-value: #ffa657; } }
.rh-proof code, .rh-proof pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: 0.9em; white-space: pre-wrap; overflow-wrap: anywhere; }
.rh-proof .rh-scroll { overflow-x: auto; }
.rh-proof table { border-collapse: collapse; margin: 0.8em 0; }
.rh-proof th, .rh-proof td { text-align: left; vertical-align: top; padding: 0.15em 0.7em; }
.rh-proof thead th { border-bottom: 1px solid var(--rh-edge); }
.rh-proof .rh-line { color: var(--rh-dim); text-align: right; font-weight: 400; }
.rh-proof .rh-mark { color: var(--rh-switch); font-weight: 700; white-space: nowrap; }
.rh-proof tr.rh-switch > * { border-top: 2px solid var(--rh-switch); }
.rh-proof td.rh-here { background: var(--rh-card); }
.rh-proof .rh-source { font-weight: 600; }
.rh-proof .rh-value { color: var(--rh-value); display: block; padding-left: 1.2em; }
.rh-proof dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1em 1em; margin: 0.6em 0; }
.rh-proof dt { color: var(--rh-dim); } .rh-proof dd { margin: 0; }
.rh-proof .rh-race { color: var(--rh-bad); font-weight: 700; }
.rh-proof .rh-safe { color: var(--rh-good); font-weight: 700; }
"""


def render(proof: Proof) -> str:
    """A `section` that stands for itself."""
    return "\n".join(["<section class='rh-proof'>", f"<style>{STYLE}</style>", *_parts(proof), "</section>", ""])


def section(proof: Proof) -> str:
    """The same for a page that has the style already."""
    return "\n".join(["<section class='rh-proof'>", *_parts(proof), "</section>"])


def _parts(proof: Proof) -> Iterator[str]:
    oracle = f" · oracle: {escape(proof.oracle)}" if proof.oracle else ""
    verdict = f"<span class='rh-{proof.verdict}'>{proof.verdict}</span>"
    yield f"<p>{verdict} after {wording.executions(proof)}{oracle}<br>{escape(proof.reason)}</p>"
    yield _facts(_raced(proof))
    if proof.timeline:
        yield from _table(proof)
    yield _facts(_outcomes(proof))


def _facts(pairs: Iterator[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{escape(name)}</dt><dd><code>{escape(text)}</code></dd>" for name, text in pairs)
    return f"<dl>{items}</dl>" if items else ""


def _raced(proof: Proof) -> Iterator[tuple[str, str]]:
    if proof.scenario is not None:
        scenario = wording.spoken_scenario(proof.scenario)
        yield "set-up", scenario.setup
        yield from (("before", call) for call in scenario.prefix)
        tasks = enumerate(scenario.tasks, 1)
        yield from ((f"task {number}", "; ".join(calls)) for number, calls in tasks)
    yield from (("file", path) for path in wording.files(proof))


def _table(proof: Proof) -> Iterator[str]:
    tasks = sorted({step.task for step in proof.timeline})
    heads = "".join(f"<th scope='col'>task {task + 1}</th>" for task in tasks)
    yield "<div class='rh-scroll'><table>"
    yield f"<thead><tr><td></td><th scope='col' class='rh-line'>line</th>{heads}</tr></thead><tbody>"
    for row in wording.rows(proof.timeline, length=WIDTH):
        cells = "".join(_cell(row) if task == row.task else "<td></td>" for task in tasks)
        mark = "⇒" if row.switch else ""
        start = "<tr class='rh-switch'>" if row.switch else "<tr>"
        place = f"<th scope='row' class='rh-line'>{escape(row.place)}</th>"
        title = f" title='switch to task {row.task + 1}'" if row.switch else ""
        yield f"{start}<td class='rh-mark'{title}>{mark}</td>{place}{cells}</tr>"
    yield "</tbody></table></div>"


def _cell(row: Row) -> str:
    operations = "".join(f"<code class='rh-value'>{escape(operation)}</code>" for operation in row.operations)
    return f"<td class='rh-here'><code class='rh-source'>{escape(row.source)}</code>{operations}</td>"


def _outcomes(proof: Proof) -> Iterator[tuple[str, str]]:
    for item in wording.serial(proof):
        yield "serial", f"{wording.order(item)}: {wording.outcome(item, 4 * WIDTH)}"
    if proof.outcome is not None:
        yield "here", wording.outcome(proof.outcome, 4 * WIDTH) + wording.complaint(proof)
    if proof.masked:
        yield "not compared", ", ".join(proof.masked)
    if proof.confirmation:
        yield "free threads", proof.confirmation
    if proof.token:
        yield "replay", f"racehound replay {proof.token}"
