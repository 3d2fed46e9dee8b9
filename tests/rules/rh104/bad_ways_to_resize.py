class Table:
    def __init__(self):
        self.rows = {}
        self.names = []

    def alias(self):
        rows = self.rows
        for key in rows:
            if key.old:
                rows.pop(key)  # RH

    def from_list(self):
        for name in self.names:
            if name.startswith("_"):
                self.names.remove(name)  # RH

    def numbered(self):
        for index, name in enumerate(self.names):
            if not name:
                del self.names[index]  # RH

    def inner_loop(self):
        for key, row in self.rows.items():
            for cell in row:
                if cell is None:
                    del self.rows[key]  # RH
                    break

    def one_branch_goes_on(self):
        for key in self.rows:
            self.rows.pop(key)  # RH
            if key.last:
                break

    def goes_on_explicitly(self):
        for key in self.rows:
            if key.old:
                self.rows.pop(key)  # RH
                continue
            return key


def grow(known: set):
    for item in known:
        known.add(item.parent)  # RH


def shrink(known):
    for item in known:
        try:
            known.discard(item)  # RH
        except KeyError:
            pass
