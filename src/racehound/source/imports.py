"""Names that an import statement binds, and the dotted names they stand for."""

import ast
from collections.abc import Iterator


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, alias.name
            else:
                top = alias.name.partition(".")[0]
                yield top, top
        return
    start = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name != "*":
            separator = "." if node.module else ""
            yield alias.asname or alias.name, f"{start}{separator}{alias.name}"
