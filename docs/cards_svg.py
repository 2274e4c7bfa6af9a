"""Pictures of cards, drawn from rank and suit: Latin and French suits as shapes of our own, any other by its letter."""

from __future__ import annotations

from html import escape

# Shapes in a square of 24, by the names that decks give their suits.
HEART = '<path d="M12 21C3 14 2 8 6.500 5.500 9 4.200 11.200 5.800 12 8c.8-2.200 3-3.800 5.500-2.500C22 8 21 14 12 21z"/>'
DIAMOND = '<path d="M12 2 19 12 12 22 5 12z"/>'
SPADE = '<path d="M12 2C4 9 2 13 5.500 16c2 1.600 4.500.8 5.700-1L10 22h4l-1.200-7c1.200 1.800 3.700 2.600 5.700 1C22 13 20 9 12 2z"/>'
LEAF = '<circle cx="{}" cy="{}" r="4.300"/>'
CLUB = '<path d="M10.700 14 10 22h4l-.7-8z"/>' + "".join(LEAF.format(x, y) for x, y in ((12, 7), (7, 13), (17, 13)))
COIN = '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="5.500" fill="#fff"/><circle cx="12" cy="12" r="2.500"/>'
CUP = '<path d="M5 3h14c0 7-2 10-5.500 11v4H17v3H7v-3h3.500v-4C7 13 5 10 5 3z"/>'
SWORD = '<path d="M12 1l1.600 3v10.500H18v2h-4.600V22h-2.800v-5.500H6v-2h4.400V4z"/>'
BATON = '<path d="M9 22C8 16 8 9 9.500 3.500c.6-2 4.400-2 5 0C16 9 16 16 15 22z"/><path d="M16 8l3-2v4l-3 2zM8 12l-3-2v4l3 2z"/>'
SHAPES = {
    "hearts": HEART, "diamonds": DIAMOND, "spades": SPADE, "clubs": CLUB,
    "oros": COIN, "denari": COIN, "copas": CUP, "coppe": CUP, "espadas": SWORD, "spade": SWORD, "bastos": BATON, "bastoni": BATON,
}  # fmt: skip
INKS = {
    "hearts": "#c22", "diamonds": "#c22", "oros": "#b8860b", "denari": "#b8860b", "copas": "#b22", "coppe": "#b22",
    "espadas": "#1f4e8c", "spade": "#1f4e8c", "bastos": "#2e6b2e", "bastoni": "#2e6b2e",
}  # fmt: skip


def shapes() -> str:
    """The shapes once, for all the cards of a page to use."""
    symbols = "".join(f'<symbol id="suit-{name}" viewBox="0 0 24 24">{shape}</symbol>' for name, shape in SHAPES.items())
    return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{symbols}</svg>'


def picture(rank: str, suit: str, letter: str) -> str:
    """One card: its rank above the sign of its suit."""
    ink = INKS.get(suit, "#111")
    sign = (
        f'<use href="#suit-{suit}" x="7" y="21" width="18" height="18"/>'
        if suit in SHAPES
        else f'<text x="16" y="38" font-size="16" text-anchor="middle">{escape(letter)}</text>'
    )
    return (
        f'<svg class="card" viewBox="0 0 32 44" width="32" height="44" role="img" aria-label="{escape(rank + letter)}" fill="{ink}">'
        f'<rect x=".5" y=".5" width="31" height="43" rx="4" fill="#fff" stroke="#999"/>'
        f'<text x="16" y="18" font-size="16" font-weight="bold" font-family="serif" text-anchor="middle">{escape(rank)}</text>{sign}</svg>'
    )
