"""Answers that wait in a local variable: `is_new = key not in self._table`, and then `if is_new:`.

What was looked at for the answer was looked at to decide, just as if the question stood in the test itself.
"""

import ast
from collections.abc import Iterator

from racehound.source.events import Action, Decision, Touch
from racehound.source.walk import Question, Walk, comparison

_QUESTIONS = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call)


def note_question(walk: Walk, node: ast.Assign, begin: int, files: int) -> None:
    """Remembers which events a local variable has its answer from."""
    target = node.targets[0]
    if len(node.targets) == 1 and type(target) is ast.Name and isinstance(node.value, _QUESTIONS):
        test = comparison(node.value)
        ranges = (begin, len(walk.events)), (files, len(walk.facts.files))
        walk.questions[target.id] = Question(*ranges, test, is_call=type(node.value) is ast.Call)


def take_answers(walk: Walk, test: ast.expr) -> None:
    """Counts the looks behind the variables of a test as looks that decide."""
    for name in _names(test) if walk.questions else ():
        question = walk.questions.get(name)
        if question is not None:
            _count(walk, question)
            last = walk.events[-1] if walk.events else None
            if type(last) is Decision and type(test) is ast.Name and question.test:
                walk.events[-1] = last._replace(test=question.test)


def _names(test: ast.expr) -> Iterator[str]:
    match test:
        case ast.Name(id=name) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            yield name
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from _names(part)


def _count(walk: Walk, question: Question) -> None:
    for index in range(*question.events) if not question.is_call else ():
        event = walk.events[index]
        if type(event) is Touch and event.action is Action.READ:
            walk.events[index] = event._replace(action=Action.CHECK)
    for index in range(*question.files):
        walk.facts.files[index] = walk.facts.files[index]._replace(tested=True)
