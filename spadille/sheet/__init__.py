"""The rule sheet of a game: generated from its ruleset, in the author's words, for a player to read."""

from spadille.sheet.sheet import make_sheet

__all__ = ["make_sheet"]
