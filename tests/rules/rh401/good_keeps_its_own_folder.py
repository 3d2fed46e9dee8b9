class Drawer:
    """Puts its folder in order; nothing says that anybody else comes there."""

    def __init__(self, folder):
        self.folder = folder

    def contents(self):
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                yield path.name, path.read_bytes()

    def empty(self):
        for path in sorted(self.folder.iterdir()):
            path.unlink()
