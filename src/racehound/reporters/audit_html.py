"""An audit as one page without scripts, styles from elsewhere or network."""

import re
from collections.abc import Iterable, Iterator
from html import escape

from racehound.model.audit import Audit, DrawnCall, PairText, Violation
from racehound.reporters import audit_wording as wording

QUOTED = re.compile(r"`([^`]+)`")
STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c62828; --good: #2e7d32; --some: #b26a00; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 .score { display: inline-block; padding: 0 .6rem; border-radius: .4rem; color: #fff; background: var(--bad); }
h1 .score-1, h1 .score-2 { background: var(--some); } h1 .score-3 { background: var(--good); }
table { border-collapse: collapse; width: 100%; margin: .8rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
code, .calls td { font-family: ui-monospace, monospace; font-size: .9em; }
li, p, td, code { overflow-wrap: anywhere; } .legend { opacity: .7; }
.commands td:first-child, .checks td:nth-child(2) { white-space: nowrap; width: 1%; }
.calls .switch td { border-top: 2px solid var(--some); } .failed { color: var(--bad); }
summary { cursor: pointer; margin: .6rem 0; font-size: 1.05em; } .passed { color: var(--good); }
section { border: 1px solid var(--line); border-radius: .5rem; padding: .2rem 1rem 1rem; margin: 1rem 0; }
"""


def render(audit: Audit) -> str:
    title = escape(wording.headline(audit))
    body = "\n".join(_body(audit))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>racehound audit: {title}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _body(audit: Audit) -> Iterator[str]:
    badge = f'<span class="score score-{audit.score}">{audit.score}/3</span>'
    yield f"<h1>{badge} {escape(wording.MEANINGS[audit.score])}</h1>"
    yield f"<p>{escape(wording.counts(audit))}</p>"
    for pair in audit.pairs:
        yield from _pair(pair, [item for item in audit.violations if item.pair == pair.name])
    yield f"<section><h2>Crash points</h2><p>{escape(wording.crash_summary(audit))}</p>"
    yield _list(wording.crash_line(point) for point in audit.crash_points if not point.is_fine) + "</section>"
    yield "<section><h2>Checks</h2>" + _checks(audit) + "</section>"
    if audit.flags:
        yield f"<p>Flags: {escape(', '.join(audit.flags))}</p>"
    if audit.advice:
        told = ("; ".join((item.text, *item.places)) for item in audit.advice)
        yield "<section><h2>What to change</h2>" + _list(told) + "</section>"
    facts = (f"{name}: {text}" for name, text in wording.circumstances(audit))
    yield "<section><h2>Circumstances</h2>" + _list(facts) + "</section>"


def _pair(pair: PairText, violations: list[Violation]) -> Iterator[str]:
    yield f"<section><h2>{escape(pair.name)}</h2>"
    commands = [*(("set-up", text) for text in pair.setup), ("A", pair.first), ("B", pair.second)]
    yield '<table class="commands">' + "".join(_cells([name, _code(text)]) for name, text in commands) + "</table>"
    if not violations:
        yield '<p class="passed">No violation.</p>'
    for number, violation in enumerate(violations):
        yield from _violation(violation, is_first=number == 0)
    yield "</section>"


def _violation(violation: Violation, *, is_first: bool) -> Iterator[str]:
    """The first of a pair is open to see; the others are there for who asks."""
    cache = " (a cache)" if violation.cache_only else ""
    head = escape(f"{violation.what}{cache}, schedule {violation.schedule}")
    place = "" if is_first else escape(f": {violation.point}")
    opened = " open" if is_first else ""
    yield f'<details{opened}><summary class="failed"><strong>{head}</strong>{place}</summary>'
    yield f"<p>{escape(violation.point)}. {_prose(violation.detail)}</p>"
    yield '<table class="calls"><tr><th></th><th>A</th><th>B</th></tr>'
    yield "".join(_call(call) for call in violation.steps) + "</table>"
    yield f'<p class="legend">{escape(wording.LEGEND)}</p>'
    if violation.lost:
        yield "<ul>" + "".join(f"<li>lost: {_code(name)}</li>" for name in violation.lost) + "</ul>"
    if violation.token:
        yield f"<p>{_code(f'racehound replay {violation.token}')}</p>"
    yield "</details>"


def _call(call: DrawnCall) -> str:
    cell = escape(f"{call.call} {call.path}")
    cells = ["⇒" if call.switch else "", *([cell, ""] if call.task == 0 else ["", cell])]
    return _cells(cells, kind="switch" if call.switch else "")


def _checks(audit: Audit) -> str:
    rows = (
        _cells(
            [escape(check.title), "passed" if check.passed else "failed", _prose(check.evidence)],
            kind="passed" if check.passed else "failed",
        )
        for check in audit.checks
    )
    return '<table class="checks">' + "".join(rows) + "</table>"


def _cells(cells: Iterable[str], *, kind: str = "") -> str:
    row = f'<tr class="{kind}">' if kind else "<tr>"
    return row + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _prose(text: str) -> str:
    """With what stands between backticks as code."""
    return QUOTED.sub(r"<code>\1</code>", escape(text))


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_prose(item)}</li>" for item in items) + "</ul>"
