class Base:
    def __init__(self):
        self._steps = None

    def load_steps(self):
        self._steps = []
        for path in settings():
            self._steps.append(load(path))


class Application(Base):
    """One object answers the requests of all threads."""

    def __call__(self, environ, start_response):
        if self._steps is None:  # RH
            self.load_steps()
        return self.run(environ, start_response)
