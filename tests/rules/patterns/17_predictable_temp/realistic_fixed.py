import os
import tempfile


class Renderer:
    def render(self, drawing):
        with tempfile.TemporaryDirectory() as scratch:
            target = os.path.join(scratch, "render.svg")
            with open(target, "wb") as file:
                file.write(drawing.bytes())
