"""The command line: translates options to the pipeline and outcomes to exit statuses."""
