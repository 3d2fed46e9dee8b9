class Jobs:
    """Keeps jobs by name; safe for use by several threads."""

    def __init__(self):
        self._jobs = {}
        self._state = "new"

    def _has(self, name):
        return name in self._jobs

    def register(self, name, job):
        if self._has(name):  # RH
            raise KeyError(name)
        self._jobs[name] = job

    def start(self):
        if self._state != "new":  # RH
            raise RuntimeError(self._state)
        self._state = "running"
        self.run()

    def run(self):
        for job in list(self._jobs.values()):
            job()
