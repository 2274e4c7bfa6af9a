"""Rulesets held against each other: the whole of one, its family, what differs in the text and what differs at the table."""
