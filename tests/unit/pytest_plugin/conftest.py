"""A pytest inside pytest forgets the modules that it has loaded itself; those loaded here it finds each time."""

import hypothesis

import racehound.pytest_plugin.fixture
import racehound.pytest_plugin.marked

__all__ = ["hypothesis", "racehound"]
