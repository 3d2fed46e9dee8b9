"""State that several hosts share. The client libraries are imported when a store is made."""
