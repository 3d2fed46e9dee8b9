import os
import tempfile

SCRATCH = os.path.join(tempfile.gettempdir(), "render.svg")


class Renderer:
    def render(self, drawing):
        target = SCRATCH
        with open(target, "wb") as file:  # RH
            file.write(drawing.bytes())
