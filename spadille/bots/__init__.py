"""Players for company and comparison: they see nothing but a view, and chance comes from outside."""

from spadille.bots.bot import BOTS, Bot, make_bot

__all__ = ["BOTS", "Bot", "make_bot"]
