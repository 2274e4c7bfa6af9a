"""A language server for rulesets: what an editor asks about a file, answered over standard input and output."""
