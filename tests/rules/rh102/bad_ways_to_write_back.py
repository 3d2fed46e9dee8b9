import threading


class Tally:
    def __init__(self):
        self._lock = threading.Lock()
        self.total = 0
        self.votes = {}
        self.names = ()
        self.grid = {}

    def guarded(self):
        with self._lock:
            self.total = 0

    def augmented(self):
        self.total += 1  # RH

    def spelled_out(self, amount):
        self.total = self.total + amount  # RH

    def through_a_local(self, name):
        seen = self.votes.get(name, 0)
        seen += 1
        self.votes[name] = seen  # RH

    def item(self, name):
        self.votes[name] += 1  # RH

    def through_an_alias(self, name):
        votes = self.votes
        votes[name] = votes.get(name, 0) + 1  # RH

    def through_a_branch(self, name, double):
        seen = self.votes[name]
        if double:
            more = seen * 2
        else:
            more = seen + 1
        self.votes[name] = more  # RH

    def rebuilt(self, name):
        self.names = (*self.names, name)  # RH

    def nested_item(self, x, y):
        self.grid[x][y] += 1  # RH

    def read_before_the_lock(self):
        total = self.total
        with self._lock:
            self.total = total + 1  # RH

    def released_too_early(self):
        self._lock.acquire()
        self._lock.release()
        self.total += 1  # RH

    def released_on_one_path(self, early):
        self._lock.acquire()
        if early:
            self._lock.release()
        self.total -= 1  # RH

    def walrus(self):
        if (total := self.total) < 10:
            self.total = total + 1  # RH
