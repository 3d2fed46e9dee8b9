class Table:
    def __init__(self):
        self.rows = {}
        self.names = []

    def copy(self):
        for key in list(self.rows):
            del self.rows[key]
        for key in tuple(self.rows.items()):
            self.rows.pop(key)

    def leaves(self):
        for key in self.rows:
            if key.old:
                del self.rows[key]
                return key
        return None

    def both_branches_leave(self):
        for key in self.rows:
            del self.rows[key]
            if key.old:
                return key
            else:
                break

    def raises(self):
        for key in self.rows:
            self.rows.pop(key)
            raise KeyError(key)

    def replaces(self):
        for key, row in self.rows.items():
            self.rows[key] = row.renewed()

    def work_list(self):
        for name in self.names:
            self.names.append(name.parent)

    def another(self, other):
        for key in self.rows:
            other.pop(key)

    def helper_that_may(self):
        for key in self.rows:
            self.touch(key)

    def touch(self, key):
        if key.old:
            del self.rows[key]

    def helper_then_leave(self):
        for key in self.rows:
            self.drop(key)
            break

    def drop(self, key):
        del self.rows[key]

    def slices(self):
        for name in self.names:
            self.names[:] = [name]


class Own:
    def __iter__(self):
        return iter(())

    def remove(self, item):
        pass


def own(group: Own):
    for item in group:
        group.remove(item)


def later(rows):
    for row in rows:
        print(row)
    rows.clear()
