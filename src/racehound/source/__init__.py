"""Reading Python: from paths to an ordered list of events per function."""
