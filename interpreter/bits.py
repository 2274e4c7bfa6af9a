"""Questions about one mask word; `compiled` gives Numba the machine instructions for the two methods used."""

from __future__ import annotations


def popcount(x: int) -> int:
    """Count the set bits of a word that is not negative."""
    return x.bit_count()


def lowest(x: int) -> int:
    """Give the index of the lowest set bit, -1 for 0."""
    return (x & -x).bit_length() - 1


def nth(x: int, n: int) -> int:
    """Give the index of the n-th set bit (0 is the lowest) of a word that has more than n."""
    while n > 0:
        x &= x - 1
        n -= 1
    return (x & -x).bit_length() - 1
