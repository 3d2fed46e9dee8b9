"""Names of methods that are called when nobody is at work any more, or not yet again."""

import re

TEARDOWN = re.compile(
    r"_*(graceful_)?((on|handle)_(\w+_)?(?=(close|shutdown|stop|exit|disconnect|tear_?down)$))?"
    r"(a?clos(e|ing)|shutdown|stop|terminate|join|exit|aexit|disconnect|clean_?up|tear_?down|finali[sz]e|dispose|detach|destroy)"
)
"""Whoever calls these means that nobody is at work any more."""

RESETTING = re.compile(r"_*(re_?set|clear|restart)(_|$)")
"""Whoever calls these begins anew, most often between two uses."""
