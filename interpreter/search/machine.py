"""The searches compiled by Numba, apart from the engine: whoever only plays or simulates does not pay for them.

The machine code lies in a folder of its own, named after the source of the search and of what it calls.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from interpreter import bits, compiled, kernel, opcodes, piles, rng, sets
from interpreter.search import moves, places, positions, roots, tricks

INNER: tuple[Callable[..., Any], ...] = (
    moves.sure,
    moves.choices,
    moves.quick,
    moves.top_trumps,
    tricks.make_key,
    tricks.bucket,
    tricks.remember,
    tricks.ask,
    tricks.gain_of,
    roots.lay,
    roots.values,
    roots.line,
    positions.worth_of,
    positions.leaf,
    positions.hash_state,
    positions.place_of,
    positions.list_answers,
    positions.pick,
    positions.cards_left,
    positions.explore,
)
MESSAGE = "compiling the engine's solver, once per machine, about {} seconds …"
CARDS = (opcodes, places, moves, tricks, roots)
STATES = (opcodes, rng, bits, piles, sets, kernel, positions)


def say(message: str) -> None:
    """Write a progress line where it does not mix with results."""
    print(message, file=sys.stderr, flush=True)


def folder_of(modules: tuple[ModuleType, ...], name: str) -> Path:
    """Name the folder for the machine code of some modules on this processor."""
    numba, llvmlite, binding = (import_module(n) for n in ("numba", "llvmlite", "llvmlite.binding"))
    mark = hashlib.sha256()
    for module in (*modules, compiled, sys.modules[__name__]):
        mark.update(Path(str(module.__file__)).read_bytes())
    for part in (numba.__version__, llvmlite.__version__, sys.version, binding.get_host_cpu_name()):
        mark.update(part.encode())
    mark.update(binding.get_host_cpu_features().flatten().encode())
    given = os.environ.get("SPADILLE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return Path(given or os.path.expanduser("~/.cache")) / "spadille" / f"{name}-{mark.hexdigest()[:16]}"


@cache
def teach() -> None:
    """Teach Numba the inner functions of the search; vectors are bare pointers inside."""
    types: Any = import_module("numba.core.types")
    make_array: Any = import_module("numba.np.arrayobj").make_array
    numba: Any = import_module("numba.extending")
    compiled.prepare()

    def pointer(context: Any, array: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return make_array(signature.args[0])(context, builder, values[0]).data

        return types.CPointer(array.dtype)(array), emit

    bare = numba.intrinsic(pointer)
    for function in INNER:
        numba.register_jitable(**compiled.MODEL)(function)
    inner = roots.search

    def search(
        par: Any, tab: Any, seg: Any, hands: Any, st: Any, mv: Any, tt: Any, history: Any, number: Any, found: Any, what: Any
    ) -> Any:
        def implementation(
            par: Any, tab: Any, seg: Any, hands: Any, st: Any, mv: Any, tt: Any, history: Any, number: Any, found: Any, what: Any
        ) -> Any:
            return inner(
                bare(par), bare(tab), bare(seg), bare(hands), bare(st), bare(mv), bare(tt), bare(history), number, bare(found), what
            )

        return implementation if isinstance(par, types.Array) else inner

    numba.overload(inner, jit_options=compiled.MODEL, strict=False)(search)
    inner_answers = positions.answers

    def answers(
        code: Any, tab: Any, mem: Any, log: Any, par: Any, worth: Any, ends: Any, keep: Any, party_of: Any,
        states: Any, fr: Any, mv: Any, tt: Any, history: Any, vals: Any, found: Any,
    ) -> Any:  # fmt: skip
        def implementation(
            code: Any, tab: Any, mem: Any, log: Any, par: Any, worth: Any, ends: Any, keep: Any, party_of: Any,
            states: Any, fr: Any, mv: Any, tt: Any, history: Any, vals: Any, found: Any,
        ) -> Any:  # fmt: skip
            return inner_answers(
                bare(code), bare(tab), bare(mem), bare(log), bare(par), bare(worth), bare(ends), bare(keep), bare(party_of),
                bare(states), bare(fr), bare(mv), bare(tt), bare(history), bare(vals), bare(found),
            )  # fmt: skip

        return implementation if isinstance(mem, types.Array) else inner_answers

    numba.overload(inner_answers, jit_options=compiled.MODEL, strict=False)(answers)


def compile_in(folder: Path, function: Callable[..., Any], signature: str, seconds: int, tell: Callable[[str], None]) -> Callable[..., Any]:
    """Compile a function, or load it from the cache in a folder; `tell` hears of a compilation."""
    numba: Any = import_module("numba")
    ready = folder / f"{function.__name__}.ready"
    keep = compiled.can_write(folder)
    cold = not ready.exists()
    if cold:
        tell(MESSAGE.format(seconds))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        result: Callable[..., Any] = numba.njit(signature, cache=keep, nogil=True, **compiled.MODEL)(function)
    finally:
        numba.config.CACHE_DIR = before
    if cold and keep:
        ready.touch()
    return result


VECTOR = "i8[::1]"
ON_CARDS = f"i8({', '.join([VECTOR] * 8)}, i8, {VECTOR}, i8)"


def search_cards(
    par: Any, tab: Any, seg: Any, hands: Any, st: Any, mv: Any, tt: Any, history: Any, number: Any, found: Any, what: Any
) -> int:
    """Stand before `roots.search`: the body that Numba compiles."""
    return roots.search(par, tab, seg, hands, st, mv, tt, history, number, found, what)


@cache
def on_cards(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled search of the cards alone; vectors are C-contiguous int64 arrays."""
    teach()
    return compile_in(folder_of(CARDS, "solver"), search_cards, ON_CARDS, 8, tell)


ON_STATES = f"i8({', '.join([VECTOR] * 16)})"


def search_states(code: Any, tab: Any, mem: Any, log: Any, par: Any, worth: Any, ends: Any, keep: Any, party_of: Any,
                  states: Any, fr: Any, mv: Any, tt: Any, history: Any, vals: Any, found: Any) -> int:  # fmt: skip
    """Stand before `positions.answers`: the body that Numba compiles."""
    return positions.answers(code, tab, mem, log, par, worth, ends, keep, party_of, states, fr, mv, tt, history, vals, found)


@cache
def on_states(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled search of whole states, kernel and all; vectors are C-contiguous int64 arrays."""
    teach()
    return compile_in(folder_of(STATES, "solver-states"), search_states, ON_STATES, 15, tell)
