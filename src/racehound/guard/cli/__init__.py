"""What an author adds to a click, typer or argparse program so that it can be called in parallel."""

from racehound.guard.cli.call import Call as Call
from racehound.guard.cli.flags import Flags as Flags
from racehound.guard.cli.tool import Tool as Tool
