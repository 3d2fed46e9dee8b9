import os
import tempfile


def scratch():
    return os.path.join(tempfile.gettempdir(), "report.html")


def render(body):
    path = scratch()
    with open(path, "w") as out:  # RH
        out.write(body)


def own():
    return os.path.join(tempfile.mkdtemp(), "report.html")


def render_apart(body):
    path = own()
    with open(path, "w") as out:
        out.write(body)
