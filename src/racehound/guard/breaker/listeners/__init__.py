"""Ready-made listeners. Each imports the library it reports to when it is made."""
