"""How much of a ruleset its cases reach, and which changes of it they would notice."""
