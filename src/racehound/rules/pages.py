"""The page of each rule, made from the rule itself: `python -m racehound.rules.pages docs/rules` writes them."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from racehound.model.rule import RuleText
from racehound.rules.confidence_page import confidence_page
from racehound.rules.registry import all_rules
from racehound.rules.rule import Rule


def page(rule: Rule) -> str:
    """What `explain` prints and the documentation shows, as Markdown."""
    return "\n".join(_lines(rule))


def text_of(rule: Rule) -> RuleText:
    return RuleText(rule.meta, page(rule), rule.gist)


def _lines(rule: Rule) -> Iterator[str]:
    meta = rule.meta
    yield f"# {meta.code} {meta.name}"
    yield ""
    yield f"{meta.race_type} · {meta.severity} · since {meta.since} · {', '.join(sorted(meta.tags))}"
    yield ""
    yield inspect.getdoc(inspect.getmodule(type(rule))) or ""
    yield ""
    yield f"**Impact.** {meta.impact}"
    for bad in rule.bad:
        asked = " with `--confidence possible`" if bad.is_possible else ""
        yield from _example(f"Accused{asked}, on the lines marked `# RH`", bad.code)
        if bad.fixed is not None:
            yield from _example("What `--diff` and `--fix` make of it", bad.fixed_code)
    for good in rule.good:
        yield from _example("Silent", good.code)


def _example(title: str, code: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield "```python"
    yield code.rstrip()
    yield "```"


def write_pages(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for rule in all_rules():
        (directory / f"{rule.meta.code}.md").write_text(page(rule) + "\n", "utf-8")
    (directory / "confidence.md").write_text(confidence_page() + "\n", "utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
