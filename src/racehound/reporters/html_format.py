"""A page to look at, hand over or keep: one file that needs nothing else."""

from collections.abc import Iterator
from html import escape

from racehound import __version__
from racehound.model.checklist import Checklist, Question
from racehound.model.report import Case, Diagnostic, Report
from racehound.reporters import timeline_html, wording
from racehound.reporters.html_finding import attributes, finding_card, inline
from racehound.reporters.html_style import SCRIPT, STYLE
from racehound.reporters.sources import Sources

_FILTERS = ("rule", "severity", "confidence", "grade", "verdict", "path")


def render(report: Report) -> str:
    return "\n".join(_page(report)) + "\n"


def _page(report: Report) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>racehound: {escape(wording.closing(report))}</title>"
    yield f"<style>{STYLE}{timeline_html.STYLE}</style>\n</head>\n<body>"
    yield f"<h1>Race condition report</h1>\n<p>{escape(wording.closing(report))}</p>"
    if report.cases:
        yield from _filters(report.cases)
    sources = Sources(report.excerpts)
    shown: dict[str, int] = {}
    for number, case in enumerate(report.cases, 1):
        yield from finding_card(case, number, sources, shown)
    yield from _checklists(report.checklists)
    unread, others = wording.sorted_out(report.diagnostics)
    yield from _diagnostics("Files that could not be read", unread)
    yield from _diagnostics("Notes", others)
    yield from _pages(report)
    yield f"<footer>racehound {escape(__version__)}</footer>"
    if report.cases:
        yield f"<script>{SCRIPT}</script>"
    yield "</body>\n</html>"


def _filters(cases: tuple[Case, ...]) -> Iterator[str]:
    yield "<form>"
    facts = [attributes(case) for case in cases]
    for name in _FILTERS:
        values = sorted({fact[name] for fact in facts if fact[name]})
        if len(values) > 1:
            options = "".join(f"<option>{escape(value)}</option>" for value in values)
            yield f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>'
    yield '<label>words <input name="words" type="search"></label> <label id="shown"></label>'
    yield "</form>"


def _checklists(checklists: tuple[Checklist, ...]) -> Iterator[str]:
    for sheet in checklists:
        yield f'<section><h2>Checklist: {escape(sheet.title)}</h2>\n<ul class="questions">'
        yield from (_question(question) for question in sheet.questions)
        yield "</ul></section>"


def _question(question: Question) -> str:
    kind = {True: "good", False: "bad", None: "open"}[question.is_good]
    behind = "".join(
        f' <a href="#{escape(finding.fingerprint)}">{finding.rule} {escape(str(finding.location))}</a>'
        for finding in question.findings
    )
    told = f"{escape(question.text)} <b>{question.answer}</b>: {inline(question.reason)}{behind}"
    return f'<li class="{kind}">{told}</li>'


def _diagnostics(title: str, diagnostics: list[Diagnostic]) -> Iterator[str]:
    if diagnostics:
        items = "".join(f"<li>{escape(str(item))}</li>" for item in diagnostics)
        yield f"<section><h2>{title}</h2>\n<ul>{items}</ul></section>"


def _pages(report: Report) -> Iterator[str]:
    if report.rules:
        yield "<section><h2>Rules</h2>"
        for rule in report.rules:
            title = f"{escape(rule.meta.code)} {escape(rule.meta.name)}"
            yield (
                f'<details id="{escape(rule.meta.code)}"><summary>{title}</summary>'
                f'<div class="frame" tabindex="0"><pre>{_numberless(rule.page)}</pre></div></details>'
            )
        yield "</section>"


def _numberless(text: str) -> str:
    return "".join(f"<span>{escape(line) or ' '}</span>" for line in text.splitlines())
