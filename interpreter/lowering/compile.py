"""From a core program to an image: laid out, lowered, and lowered again if the payments need finer units."""

from __future__ import annotations

from math import lcm

from dsl.program import Program
from interpreter.action import GameFault
from interpreter.lowering.emitter import Emitter
from interpreter.lowering.expressions import Expressions
from interpreter.lowering.image import Image
from interpreter.lowering.layout import Layout
from interpreter.lowering.names import Alphabet
from interpreter.lowering.statements import Statements
from interpreter.lowering.tables import Tables, Worked
from interpreter.opcodes import WIDTH

MOST_ANSWERS = 400
FINEST = 1_000_000


class TooFine(GameFault):
    """The payments need ever finer fractions of a chip."""


def compile_program(program: Program) -> Image:
    """The image of a program; raises TooFine when no common unit for its amounts exists."""
    scale = 1
    answers, tables = 0, 0
    worked: Worked = {}
    for _ in range(6):
        image, finest, used, read = _lower(program, scale, answers, tables, worked)
        if used <= answers and read <= tables and scale % finest == 0:
            return image
        answers, tables = max(answers, used), max(tables, read)
        scale = lcm(scale, finest)
        if scale > FINEST:
            break
    raise TooFine(f"the payments would need chips cut into {scale} parts")


def _lower(program: Program, scale: int, answers: int, tables_read: int, worked: Worked) -> tuple[Image, int, int, int]:
    emitter = Emitter()
    alphabet = Alphabet(program, answers)
    layout = Layout(program, alphabet.words, tables_read)
    emitter.row([0])
    tables = Tables(program, emitter, layout.words, layout.table_slot, worked)
    values = Expressions(program, layout, emitter, tables, scale)
    statements = Statements(values, alphabet)
    statements.all(program.body)
    emitter.emit("STOP", 4)
    statements.ranking_routine()
    n_state = layout.most
    code, rest, _ = emitter.finish(n_state)
    mem = [0] * n_state
    for slot, value in statements.initial.items():
        mem[slot] = value
    mem[layout.variables[program.variable("dealer")]] = -1  # drawn when the match begins, unless it is given
    assert len(code) % WIDTH == 0
    image = Image(
        program=program,
        code=code,
        tab=tuple(emitter.table),
        mem=(*mem, *rest),
        n_state=n_state,
        words=layout.words,
        legal_words=alphabet.words,
        alphabet=tuple(alphabet.texts),
        questions=tuple(statements.questions),
        variables=layout.variables,
        piles=layout.piles,
        pile_strides=layout.strides,
        accounts=layout.accounts,
        known=layout.known,
        gains=layout.gains,
        start=layout.start,
        ranked=tuple(tables.by_ranking),
        strengths=tables.strength_slot,
        scale=scale,
        sayings=tuple(statements.sayings),
        entries=statements.entries,
        shuffles=statements.shuffles,
        probes=tuple(statements.probes),
    )
    return image, values.finest, len(alphabet.texts) - len(program.deck), layout.tables
