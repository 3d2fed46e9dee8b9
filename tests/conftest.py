"""Puts this directory on the import path, so that tests can share `servers` and the like."""
