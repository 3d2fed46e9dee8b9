"""The variables a command finds in the sandbox: its own places, and nothing that leads to the user's."""

import os
from collections.abc import Mapping
from pathlib import Path

KEPT = (
    "PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION", "NODE_PATH", "GOROOT",
    "JAVA_HOME", "RUSTUP_HOME", "USER", "LOGNAME", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""Where programs and their libraries are, and who runs them. No setting of any tool: those may name its files."""

MANAGERS = {
    "RUSTUP_HOME": ".rustup",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "ASDF_DATA_DIR": ".asdf",
    "VOLTA_HOME": ".volta",
}
"""Where the programs that PATH names are kept if nobody says otherwise: below the user's home, which is hidden."""

PLACES = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "xdg/config",
    "XDG_DATA_HOME": "xdg/data",
    "XDG_CACHE_HOME": "xdg/cache",
    "XDG_STATE_HOME": "xdg/state",
    "XDG_RUNTIME_DIR": "xdg/runtime",
    "TMPDIR": "tmp",
    "TMP": "tmp",
    "TEMP": "tmp",
    "PWD": "work",
}
FIXED = {
    "LC_CTYPE": "C.UTF-8",  # the other categories are those of C anyway, and each costs a command several opens
    "TERM": "dumb",
    "SHELL": "/bin/sh",
    "PYTHONDONTWRITEBYTECODE": "1",  # compiled files would land beside the tool's source, outside the sandbox
    "PYTHONHASHSEED": "0",  # two equal runs must be equal
    # Looking for newer versions of itself is not what a tool was called for, and goes to the network now and then.
    "NO_UPDATE_NOTIFIER": "1",
    "npm_config_update_notifier": "false",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def environment(root: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """All variables of a command whose sandbox is `root`; `extra` wins over the rest."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    home = os.path.expanduser("~")  # noqa: PTH111 - a user who has no home is no error
    kept = _managers(Path(home)) | kept
    places = {name: str(root / place) for name, place in PLACES.items()}
    # A repository around the temporary directory is the user's.
    return {**kept, **FIXED, **places, "GIT_CEILING_DIRECTORIES": str(root), **(extra or {})}


def _managers(home: Path) -> dict[str, str]:
    """`isdir` rather than `is_dir`: a home that may not be looked into, as after `sudo -u`, is no error."""
    places = {name: str(home / place) for name, place in MANAGERS.items()}
    return {name: place for name, place in places.items() if os.path.isdir(place)}  # noqa: PTH112 - see above
