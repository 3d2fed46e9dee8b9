"""The parts of hold-lock: reading what functions touch, planning the lock, rewriting the source."""
