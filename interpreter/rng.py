"""The random numbers of the machine: two 32-bit words in a vector, the same bits in Python and compiled.

The generator is xoroshiro64** (Blackman and Vigna). The multipliers are written as negative numbers so that no
product leaves 64 bits: only the low 32 bits count, and they are the same.
"""

from __future__ import annotations

from interpreter.opcodes import Vector

MASK = 0xFFFFFFFF
STAR = 0x9E3779BB - (1 << 32)
MIX1 = 0x85EBCA6B - (1 << 32)
MIX2 = 0xC2B2AE35 - (1 << 32)
GOLDEN = 0x9E3779B9


def mix(x: int) -> int:
    """Scramble a 32-bit number one to one."""
    x = ((x ^ (x >> 16)) * MIX1) & MASK
    x = ((x ^ (x >> 13)) * MIX2) & MASK
    return x ^ (x >> 16)


def sow(vector: Vector, at: int, seed: int) -> None:
    """Seed the generator at `vector[at]` and `vector[at + 1]`, which never become 0, 0."""
    low = seed & MASK
    high = (seed >> 32) & MASK
    first = mix((mix((low + GOLDEN) & MASK) + high) & MASK)
    second = mix((mix((high ^ GOLDEN) & MASK) + low + GOLDEN) & MASK)
    if first == 0 and second == 0:
        second = GOLDEN
    vector[at] = first
    vector[at + 1] = second


def seed(number: int) -> tuple[int, int]:
    """Give the two words for a seed; 64 bits of the seed count."""
    words = [0, 0]
    sow(words, 0, number)
    return words[0], words[1]


def draw(vector: Vector, at: int) -> int:
    """Draw 32 random bits and step the generator at `vector[at]`."""
    s0 = vector[at]
    s1 = vector[at + 1]
    x = (s0 * STAR) & MASK
    s1 ^= s0
    vector[at] = (((s0 << 26) | (s0 >> 6)) ^ s1 ^ (s1 << 9)) & MASK
    vector[at + 1] = ((s1 << 13) | (s1 >> 19)) & MASK
    return ((((x << 5) | (x >> 27)) & MASK) * 5) & MASK


def below(vector: Vector, at: int, n: int) -> int:
    """Draw a number in 0..n-1, every one equally likely (Lemire, with rejection); 0 if n < 2; n < 2**31."""
    if n < 2:
        return 0
    product = draw(vector, at) * n
    rest = product & MASK
    if rest < n:
        floor = ((1 << 32) - n) % n
        while rest < floor:
            product = draw(vector, at) * n
            rest = product & MASK
    return product >> 32
