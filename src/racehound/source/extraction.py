"""One typed pass over a module: classes, functions, and the events of each function.

The tree is not needed afterwards and is not kept: trees of a million lines take a gigabyte.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from racehound.source.annotations import annotation, dotted, injections
from racehound.source.attempts import Attempt
from racehound.source.claims import claims_processes, claims_safety, claims_thread_safety, first_paragraph
from racehound.source.closures import started_names
from racehound.source.declarations import declarations
from racehound.source.events import METACLASS, OTHER, Call, Listed, Place, Shape, Span, Touch, Value, Waited
from racehound.source.expressions import EXPRESSIONS
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts
from racehound.source.filecalls import FileCall
from racehound.source.module import SourceModule
from racehound.source.other_names import changed_attributes, note_changed_arguments
from racehound.source.statements import STATEMENTS
from racehound.source.suppressions import suppressions
from racehound.source.values import lambda_name, outline, with_contents
from racehound.source.walk import NestedFunction, Surroundings, Walk, span_of


def extract(module: SourceModule) -> ModuleFacts:
    return _Extraction(module).run(module.tree)


class _Extraction:
    def __init__(self, module: SourceModule) -> None:
        self.facts = ModuleFacts(
            path=module.path,
            text=module.text,
            suppressions=suppressions(module.text, module.tree),
            declarations=declarations(module.text, module.tree),
        )
        lines = module.text.split("\n")
        self._surroundings = Surroundings(lines, self.facts.imports, self._nested, self._class)
        self._surroundings.started = started_names(module.text)
        self._surroundings.changed = changed_attributes(module.text)
        self._surroundings.declared = frozenset(item.field for item in self.facts.declarations if item.lock)
        self._description = first_paragraph(module.tree)
        self.facts.claims_thread_safety = claims_thread_safety(self._description)
        self.facts.claims_processes = claims_processes(self._description)

    def run(self, tree: ast.Module) -> ModuleFacts:
        body = FunctionFacts(
            module=self.facts,
            name="<module>",
            qualified_name="<module>",
            owner=None,
            parent=None,
            span=Span(1, 0, 1, 0),
        )
        walk = self._walk(body, None)
        self._variables(tree, walk)
        self.facts.functions.append(body)
        walk.block(tree.body)
        for function in self.facts.functions:
            _conclude(function, self.facts.callers)
        self._surroundings.forget()
        return self.facts

    def _variables(self, tree: ast.Module, walk: Walk) -> None:
        """Names the module binds to values: first, because functions above may use names bound below."""
        for statement in _at_module_level(tree.body):
            for name, values in _assigned(walk, statement):
                _add(self.facts.variables, name, values)
        self._surroundings.variables = frozenset(self.facts.variables)
        self._surroundings.classes = frozenset(item.name for item in tree.body if isinstance(item, ast.ClassDef))
        self._surroundings.fixed = _fixed(self.facts)

    def _walk(self, facts: FunctionFacts, self_name: str | None) -> Walk:
        return Walk(facts, self_name, self._surroundings, (STATEMENTS, EXPRESSIONS))

    def _nested(self, node: NestedFunction, outer: FunctionFacts, self_name: str | None) -> FunctionFacts:
        """A function defined in the body of another, or of the module: `self` is the one of the outer method."""
        if isinstance(node, ast.Lambda):
            name = lambda_name(outer.qualified_name, node)
        else:
            name = node.name if outer.is_module_body else f"{outer.qualified_name}.<locals>.{node.name}"
        parameters = _parameters(node.args)
        inherited = self_name if self_name not in parameters else None
        if outer.is_method and parameters[:1] in _OWN_SELF and outer.parameters[:1] not in _SELF:
            inherited = parameters[0]
        facts = self._define(node, name, outer.owner, outer)
        self._body(facts, node, inherited)
        return facts

    def _define(
        self, node: NestedFunction, name: str, owner: ClassFacts | None, parent: FunctionFacts | None
    ) -> FunctionFacts:
        facts = FunctionFacts(
            module=self.facts,
            name=name.rpartition(".")[2] if isinstance(node, ast.Lambda) else node.name,
            qualified_name=name,
            owner=owner,
            parent=parent,
            span=span_of(node),
            parameters=_parameters(node.args),
            annotations=_annotations(node.args),
            is_async=isinstance(node, ast.AsyncFunctionDef),
        )
        self.facts.functions.append(facts)
        return facts

    def _body(self, facts: FunctionFacts, node: NestedFunction, self_name: str | None) -> None:
        walk = self._walk(facts, self_name)
        if isinstance(node, ast.Lambda):
            walk.expression(node.body)
            return
        facts.returns = annotation(node.returns)
        facts.defaults = _defaults(walk, node.args)
        decorators = (walk.place(_called(decorator)) for decorator in node.decorator_list)
        facts.decorators = tuple(place for place in decorators if place is not None)
        facts.decorated_by = _given_names(walk, node.decorator_list)
        facts.is_async |= facts.is_old_coroutine
        if facts.is_async:
            note_changed_arguments(walk, node)
        walk.block(node.body)

    def _class(self, node: ast.ClassDef, outer: FunctionFacts, prefix: str = "") -> None:
        walk = self._walk(outer, None)
        decorators = (walk.place(_called(decorator)) for decorator in node.decorator_list)
        name = prefix or ("" if outer.is_module_body else f"{outer.qualified_name}.<locals>.")
        facts = ClassFacts(
            module=self.facts,
            name=node.name,
            qualified_name=f"{name}{node.name}",
            span=span_of(node),
            bases=tuple(place for base in node.bases if (place := walk.place(_generic_base(base))) is not None),
            claims_thread_safety=claims_safety(node, self._surroundings.lines, self._description),
            decorators=tuple(place for place in decorators if place is not None),
        )
        for word in node.keywords:
            if word.arg == "metaclass":
                _add(facts.attributes, METACLASS, (outline(walk, word.value),))
        self.facts.classes.append(facts)
        self.facts.claims_processes |= claims_processes(ast.get_docstring(node, clean=False) or "")
        for statement in _flattened(node.body):
            self._class_statement(statement, facts, walk)

    def _class_statement(self, node: ast.stmt, facts: ClassFacts, walk: Walk) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._method(node, facts, walk.facts)
            case ast.ClassDef():
                self._class(node, walk.facts, f"{facts.qualified_name}.")
            case ast.Assign() | ast.AnnAssign():
                for name, values in _assigned(walk, node):
                    _add(facts.attributes, name, values)

    def _method(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ClassFacts, outer: FunctionFacts
    ) -> None:
        facts = self._define(node, f"{owner.qualified_name}.{node.name}", owner, outer)
        facts.is_method = True
        names = {getattr(decorator, "id", "") for decorator in node.decorator_list}
        bound = facts.parameters[:1] if "staticmethod" not in names else ()
        self._body(facts, node, bound[0] if bound else None)
        if node.name not in owner.methods or not _is_accessor(facts):
            owner.methods[node.name] = facts
        else:
            owner.methods[f"{node.name}.{facts.decorators[0].attributes[-1]}"] = facts


@lru_cache(maxsize=4096)
def _shared(holds: frozenset[object]) -> frozenset[object]:
    """One object for all functions that hold the same."""
    return holds


def _conclude(function: FunctionFacts, callers: dict[str, list[FunctionFacts]]) -> None:
    """Notes what its events are, and lets go of what stayed empty: there are many functions."""
    events = function.events
    holds: set[object] = set(map(type, events))
    if Call in holds:
        for name in dict.fromkeys([event.method for event in events if type(event) is Call]):
            callers.setdefault(name, []).append(function)
    if Touch in holds:
        holds.update([event.action for event in events if type(event) is Touch])
    function.holds = _shared(frozenset(holds))
    _let_go(function)


def _let_go(function: FunctionFacts) -> None:
    """Of what stayed empty: a set of its own would take 200 bytes, and most functions have several."""
    function.bound = function.bound or _NO_NAMES
    function.shared_names = function.shared_names or _NO_NAMES
    function.discarded = function.discarded or _NO_INDICES
    function.fed = function.fed or _NOT_FED
    function.passed = function.passed or _NONE_PASSED
    function.attempts = function.attempts or _NO_ATTEMPTS
    function.loops = function.loops or _NO_LOOPS
    function.files = function.files or _NO_FILES
    function.annotations = function.annotations or _NO_ANNOTATIONS
    function.defaults = function.defaults or _NO_DEFAULTS
    function.bindings = function.bindings or _NO_BINDINGS
    function.loads = function.loads or _NO_LOADS


_NO_NAMES: set[str] = set()
_NO_INDICES: set[int] = set()
_NOT_FED: list[int] = []
_NONE_PASSED: dict[int, tuple[tuple[int, ...], ...]] = {}
_NO_ATTEMPTS: list[Attempt] = []
_NO_LOOPS: list[Waited | Listed] = []
_NO_FILES: list[FileCall] = []
_NO_ANNOTATIONS: dict[str, tuple[Value, ...]] = {}
_NO_DEFAULTS: dict[str, Value] = {}
_NO_BINDINGS: dict[str, list[Value]] = {}
_NO_LOADS: dict[str, int] = {}


def _at_module_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that bind names of the module, also where they stand in a block: `if __name__ == "__main__":`."""
    for statement in body:
        yield statement
        if isinstance(statement, _BLOCKS):
            for part in ("body", "orelse", "finalbody"):
                yield from _at_module_level(getattr(statement, part, ()))


_OWN_SELF = {("self",), ("_self",)}
_SELF = {*_OWN_SELF, ("cls",)}
"""How methods call their object; a function that makes methods for its class does not have one itself."""

_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While)


def _assigned(walk: Walk, node: ast.stmt) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Names that an assignment or a `with` gives a value or an annotation."""
    match node:
        case ast.With(items=items):
            for item in items:
                if isinstance(item.optional_vars, ast.Name):
                    yield item.optional_vars.id, (outline(walk, item.context_expr),)
        case ast.Assign(targets=targets, value=value):
            values = (with_contents(walk, value),)
            yield from ((target.id, values) for target in targets if isinstance(target, ast.Name))
            for target in targets:
                if isinstance(target, ast.Tuple | ast.List):
                    yield from _unpacked(walk, target.elts, value)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=hint, value=None):
            yield name, annotation(hint)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=hint, value=ast.expr() as value):
            yield name, (*annotation(hint), with_contents(walk, value))


def _unpacked(walk: Walk, targets: list[ast.expr], value: ast.expr) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """`reads, writes = Lock(), Lock()`: each name has its own; of what a call gives nothing is known."""
    given = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    known = len(given) == len(targets) and not any(isinstance(item, ast.Starred) for item in (*targets, *given))
    for index, target in enumerate(targets):
        if isinstance(target, ast.Name):
            yield target.id, (with_contents(walk, given[index]) if known else OTHER,)


def _is_accessor(facts: FunctionFacts) -> bool:
    """A second function of the same name that belongs to a property."""
    return any(place.attributes[-1:] in {("setter",), ("deleter",)} for place in facts.decorators[:1])


_ENOUGH = 200
"""Values of one name that are kept: tables that machines write assign to the same name for ever."""


def _fixed(facts: ModuleFacts) -> dict[str, bool]:
    """Private constants, in capitals, that are set to True or False once and by no function."""
    found = {
        name: values[0].name == "True"
        for name, values in facts.variables.items()
        if name.startswith("_") and name.isupper() and len(values) == 1 and values[0].name in {"True", "False"}
    }
    lines = _GLOBAL.findall(facts.text) if found else []
    changed = {name for line in lines for name in line.replace(",", " ").split()}
    return {name: value for name, value in found.items() if name not in changed}


_GLOBAL = re.compile(r"^\s*global (.+)$", re.MULTILINE)


def _add(attributes: dict[str, tuple[Value, ...]], name: str, values: tuple[Value, ...]) -> None:
    known = attributes.get(name, ())
    if len(known) < _ENOUGH:
        attributes[name] = known + values


def _flattened(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of a class body, those below `if` and `try` included."""
    result: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If(body=inner, orelse=other):
                result += _flattened(inner) + _flattened(other)
            case ast.Try(body=inner, orelse=other):
                result += _flattened(inner) + _flattened(other)
            case _:
                result.append(statement)
    return result


def _given_names(walk: Walk, decorators: Iterable[ast.expr]) -> tuple[Value, ...]:
    calls = (node for node in decorators if type(node) is ast.Call and any(map(_is_name, node.args)))
    return tuple(outline(walk, node) for node in calls)


def _is_name(node: ast.expr) -> bool:
    return type(node) is ast.Name or type(node) is ast.Attribute


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _generic_base(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Subscript) else node


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _defaults(walk: Walk, arguments: ast.arguments) -> dict[str, Value]:
    """Most defaults are None, a flag or a number, which say nothing of where a value comes from."""
    positional = (*arguments.posonlyargs, *arguments.args)
    behind = positional[len(positional) - len(arguments.defaults) :]
    given = (*zip(behind, arguments.defaults, strict=True), *injections((*positional, *arguments.kwonlyargs)))
    found = {item.arg: outline(walk, node) for item, node in given if _says_where(node)}
    return found or _NO_DEFAULTS


def _says_where(node: ast.expr) -> bool:
    return not isinstance(node, ast.Constant) or (isinstance(node.value, str) and node.value[:1] in {"/", "~"})


def _annotations(arguments: ast.arguments) -> dict[str, tuple[Value, ...]]:
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    found = {argument.arg: annotation(argument.annotation) for argument in named if argument.annotation}
    for argument, default in _made_once(arguments):
        found[argument.arg] = (*found.get(argument.arg, ()), Value(Shape.CALL, default.attributes[-1], default))
    return found


def _made_once(arguments: ast.arguments) -> Iterator[tuple[ast.arg, Place]]:
    """`lock=asyncio.Lock()`: made when the function is defined, and the same for all calls."""
    positional = (*arguments.posonlyargs, *arguments.args)
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    behind = positional[len(positional) - len(arguments.defaults) :]
    for argument, default in (*zip(behind, arguments.defaults, strict=True), *named):
        place = dotted(default.func) if type(default) is ast.Call else None
        if place is not None and place.attributes:
            yield argument, place
