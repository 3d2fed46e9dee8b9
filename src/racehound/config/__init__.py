"""Settings from `pyproject.toml`, `racehound.toml` or `.racehound.toml`."""
