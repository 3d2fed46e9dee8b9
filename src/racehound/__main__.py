import sys

from racehound.cli.main import run

sys.exit(run())
