"""Where the command begins: an interrupt is answered from here on, also while the rest is being imported."""

import sys

_INTERRUPTED = 130


def run() -> int:
    """The entry point of the installed command."""
    try:
        from racehound.cli.main import run as run_command  # noqa: PLC0415 - may take a while, and be interrupted

        return run_command()
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
