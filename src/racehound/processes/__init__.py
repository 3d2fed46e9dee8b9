"""Commands under observation: a sandbox, the file calls they make, and where one is stopped for another."""
