"""Picks up letters from a folder. Several of these may run on one machine."""

import pathlib


class Spool:
    def __init__(self, root):
        self.new = pathlib.Path(root) / "new"
        self.sent = pathlib.Path(root) / "sent"

    def claim(self, path):
        target = self.sent / path.name
        if path.exists():
            path.rename(target)  # RH
            return target
        return None
