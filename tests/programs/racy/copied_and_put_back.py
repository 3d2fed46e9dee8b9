"""A deep copy is changed and put back: what others did meanwhile is gone."""

import copy


class Document:
    def __init__(self) -> None:
        self.tree: dict[str, list[int]] = {"chapters": [1]}

    def add_chapter(self) -> None:
        tree = copy.deepcopy(self.tree)
        tree["chapters"].append(len(tree["chapters"]) + 1)
        self.tree = tree


setup = Document
WORKERS = [Document.add_chapter, Document.add_chapter]


def invariant(document: Document) -> bool:
    return len(document.tree["chapters"]) == 3
