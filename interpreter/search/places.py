"""Numbers that the trick search and its callers share: places in its vectors. All vectors are of 64-bit integers."""

from __future__ import annotations

# ---------------------------------------------------------------- parameters
SEATS = 0  # seats that play, in playing order, at most 8
CARDS = 1  # cards in the search, at most 62; each is a bit, those of a suit together, the highest last
OURS = 2  # mask of the seats whose gain is sought
TRUMP = 3  # mask of the trumps, 0 without
TRICK = 4  # what a trick counts by itself
LAST = 5  # what the last trick counts besides
FOLLOWING = 6  # obligations of those who follow
LEADING = 7  # obligations of who leads
SEGMENTS = 8  # stretches of cards of one kind, for the keys
STRICT = 9  # mask of the plain cards to whose lead a hand with cards of the suit must follow suit
FREE = 10  # 1 if any card may be led
BUCKETS = 11  # size of the table less one: a power of two less one
STAMP = 12  # marks what this search has put into the table, 1 .. 2**20
LIMIT = 13  # nodes after which the search gives up
NODES = 14  # nodes so far
TAIL = 15  # cards that will be left in each hand, for a game that ends before the last card
SEEK = 16  # mask of the seats that seek a high gain of ours: ours, or all others where winning is bad
PARAMETERS = 17

# ------------------------------------------------- tables of the cards, `cards` apart
# The row of each card in `tab`: row * cards + card.
SUIT = 0  # mask of its suit
ABOVE = 1  # mask of the higher cards of its suit
WORTH = 2  # what it counts
BLOCK = 3  # mask of the cards of its kind in its suit: they differ in height alone
ROWS = 4  # then for each obligation of those who follow: `some` by card led, `must` by card led

# ---------------------------------------------------------------- segments
# Four numbers each: mask, word of the key (0 or 1), factor of what is already in the word, unused.
SEGMENT = 4

# ---------------------------------------------------------------- a ply
SEAT = 0
TABLE = 1  # cards on the table
LED = 2
BEST_CARD = 3
BEST_SEAT = 4
POT = 5  # what the cards on the table count
GOAL = 6  # the question: is the gain from here at least this?
VALUE = 7
NEXT = 8
COUNT = 9
GAIN = 10  # what our side gained on the way into this ply
REST = 11  # all that is still to be won, the cards on the table counted
CARD = 12  # the card being tried
KEY0 = 13
KEY1 = 14
CHOICE = 15  # the best card so far
PRESENT = 16  # cards in hands and on the table
PLY = 17

# ---------------------------------------------------------------- the table
# Three words an entry: both keys; then lower bound, upper bound, stamp, card.
ENTRY = 3
HALF = 1 << 14  # bounds are below this

MOST_PLIES = 64  # one for each card
MOST_CHOICES = 64
