"""Find concurrency bugs, prove them, fix them, prove the fix."""

__version__ = "0.1.0"
