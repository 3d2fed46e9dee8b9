"""The questions of an audit and their answers, for people."""

from collections.abc import Callable, Iterator

from racehound.model.checklist import Checklist, Question

MARKS = {True: "ok", False: "!!", None: "--"}


def in_text(checklists: tuple[Checklist, ...]) -> Iterator[str]:
    """Lines; `!!` marks the answers that ask for work."""
    for sheet in checklists:
        yield ""
        yield sheet.title
        for question in sheet.questions:
            yield f"  {MARKS[question.is_good]} {question.text} {question.answer}: {question.reason}"
            yield from (f"       {place}" for place in _places(question))


def in_markdown(checklists: tuple[Checklist, ...], escape: Callable[[str], str]) -> Iterator[str]:
    """A list for each checklist; a box is ticked where nothing is left to do."""
    for sheet in checklists:
        yield f"### Checklist: {sheet.title}"
        yield "\n".join(line for question in sheet.questions for line in _item(question, escape))


def _item(question: Question, escape: Callable[[str], str]) -> Iterator[str]:
    box = " " if question.is_good is False else "x"
    yield f"- [{box}] {question.text} **{question.answer}**: {escape(question.reason)}"
    yield from (f"  - {escape(place)}" for place in _places(question))


def _places(question: Question) -> list[str]:
    return [f"{finding.rule} {finding.location}" for finding in question.findings]
