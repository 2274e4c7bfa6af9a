"""Hidden cards laid out again in every way that fits what a seat has seen."""

from spadille.worlds.sampler import Sampler, World

__all__ = ["Sampler", "World"]
