"""From trees and nodes back to text: the one canonical form of a piece of DSL text, and of a whole file."""

from dsl.printing.content import content
from dsl.printing.fmt import Unfaithful, format_source
from dsl.printing.taken import library_parts
from dsl.printing.texts import print_text

__all__ = ["Unfaithful", "content", "format_source", "library_parts", "print_text"]
