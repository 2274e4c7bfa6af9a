"""What a condition tells of names that may be none: where it holds, and where it fails."""

from __future__ import annotations

from dsl import tree


def true_facts(node: tree.Expr) -> frozenset[str]:
    """The names that exist wherever the condition holds."""
    match node:
        case tree.Exists(value=tree.Name(word=word)):
            return frozenset((word.text,))
        case tree.Both(left=left, right=right):
            return true_facts(left) | true_facts(right)
        case tree.Negate(value=value):
            return false_facts(value)
    return frozenset()


def false_facts(node: tree.Expr) -> frozenset[str]:
    """The names that exist wherever the condition fails."""
    match node:
        case tree.Either(left=left, right=right):
            return false_facts(left) | false_facts(right)
        case tree.Negate(value=value):
            return true_facts(value)
    return frozenset()
