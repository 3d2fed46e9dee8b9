"""One subcommand per file, with the attribute `command`; imported when it is used."""
