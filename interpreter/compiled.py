"""The kernel and the playouts compiled by Numba, from the same source that Python runs.

Nothing else imports numba, and this module only when something is compiled. The machine code is cached in a folder
named after the engine's source, the versions and the processor: numba alone would not notice a change in a module
that the compiled function calls.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from interpreter import bits, descent, kernel, opcodes, piles, playout, rng, rollout, sets

ENGINE = (opcodes, rng, bits, piles, sets, kernel, playout, rollout, descent)
INNER: tuple[Callable[..., Any], ...] = (
    bits.popcount,
    bits.lowest,
    bits.nth,
    rng.mix,
    rng.sow,
    rng.draw,
    rng.below,
    piles.record,
    piles.move_card,
    piles.move_top,
    piles.move_set,
    piles.fill,
    piles.shuffle,
    sets.find_element,
    sets.sum_elements,
    sets.alter_known,
    sets.winner,
    playout.choose,
    rollout.advance,
    rollout.promised,
    rollout.trump_in_mind,
    rollout.learnt,
    rollout.remember,
    rollout.speak,
    rollout.part,
    rollout.seat_at,
    rollout.together,
    rollout.beaten,
    rollout.lead,
    rollout.follow,
    rollout.play,
    rollout.thoughtful,
    descent.find,
    descent.doublings,
    descent.deviation,
    descent.pick,
)
RUN = "i8(i8[::1], i8[::1], i8[::1], i8[::1])"
PLAY_DEAL = "i8(i8[::1], i8[::1], i8[::1], i8[::1], i8, i8[::1])"
SEARCH = "i8(" + "i8[::1], " * 14 + "f8[::1], f8[::1], i8[::1], i8[::1], f8[::1], i8[::1])"
SIMULATE = (
    "i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, i8, i8[::1], i8[::1], i8[::1], i8, i8, i8,"
    " i8[::1], i8[::1], f8[::1], i8[::1], i8[::1], i8[::1])"
)
MODEL = {"error_model": "numpy"}
MESSAGE = "compiling the engine, once per machine, about 10 seconds …"


def say(message: str) -> None:
    """Write a progress line where it does not mix with results."""
    print(message, file=sys.stderr, flush=True)


@cache
def announce(tell: Callable[[str], None]) -> None:
    """Tell, once a process, that the engine is being compiled."""
    tell(MESSAGE)


def can_write(folder: Path) -> bool:
    """Make a folder if need be; give whether files can be put there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@cache
def cache_folder() -> Path:
    """Name the folder that holds the machine code of this engine for this processor."""
    numba, llvmlite, binding = (import_module(n) for n in ("numba", "llvmlite", "llvmlite.binding"))
    mark = hashlib.sha256()
    for module in (*ENGINE, sys.modules[__name__]):
        mark.update(Path(str(module.__file__)).read_bytes())
    for part in (numba.__version__, llvmlite.__version__, sys.version, binding.get_host_cpu_name()):
        mark.update(part.encode())
    mark.update(binding.get_host_cpu_features().flatten().encode())
    given = os.environ.get("SPADILLE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    home = Path(given or os.path.expanduser("~/.cache"))
    return home / "spadille" / f"engine-{mark.hexdigest()[:16]}"


@cache
def prepare() -> None:
    """Teach Numba the engine's functions and the two integer methods they use."""
    types: Any = import_module("numba.core.types")
    ir: Any = import_module("llvmlite.ir")
    make_array: Any = import_module("numba.np.arrayobj").make_array
    numba: Any = import_module("numba.extending")
    inner_run, inner_play_deal, inner_search = kernel.run, playout.play_deal, descent.search

    def count_bits(context: Any, x: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.ctpop(values[0])

        return types.int64(types.int64), emit

    def leading_zeros(context: Any, x: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.ctlz(values[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), emit

    def pointer(context: Any, array: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return make_array(signature.args[0])(context, builder, values[0]).data

        return types.CPointer(array.dtype)(array), emit

    ones, zeros, bare = (numba.intrinsic(f) for f in (count_bits, leading_zeros, pointer))

    def bit_count(x: Any) -> Any:
        def implementation(x: Any) -> Any:
            return ones(x)

        return implementation

    def bit_length(x: Any) -> Any:
        def implementation(x: Any) -> Any:
            return 64 - zeros(x)

        return implementation

    # Inside, vectors are bare pointers: an array costs seven arguments a call, and every read a test for a negative
    # index. It nearly doubles the speed and halves the time to compile.
    def run(code: Any, tab: Any, mem: Any, log: Any) -> Any:
        def implementation(code: Any, tab: Any, mem: Any, log: Any) -> Any:
            return inner_run(bare(code), bare(tab), bare(mem), bare(log))

        return implementation if isinstance(mem, types.Array) else inner_run

    def play_deal(code: Any, tab: Any, mem: Any, log: Any, wa: Any, rng: Any) -> Any:
        def implementation(code: Any, tab: Any, mem: Any, log: Any, wa: Any, rng: Any) -> Any:
            return inner_play_deal(bare(code), bare(tab), bare(mem), bare(log), wa, bare(rng))

        return implementation if isinstance(mem, types.Array) else inner_play_deal

    def search(
        code: Any, tab: Any, worlds: Any, chosen: Any, sizes: Any, mem: Any, log: Any, rng: Any, par: Any, sort: Any, quiet: Any,
        promise: Any, keys: Any, counts: Any, totals: Any, spread: Any, path: Any, tried: Any, gained: Any, trail: Any,
    ) -> Any:  # fmt: skip
        def implementation(
            code: Any, tab: Any, worlds: Any, chosen: Any, sizes: Any, mem: Any, log: Any, rng: Any, par: Any, sort: Any, quiet: Any,
            promise: Any, keys: Any, counts: Any, totals: Any, spread: Any, path: Any, tried: Any, gained: Any, trail: Any,
        ) -> Any:  # fmt: skip
            return inner_search(
                bare(code), bare(tab), bare(worlds), bare(chosen), bare(sizes), bare(mem), bare(log), bare(rng), bare(par), bare(sort),
                bare(quiet), bare(promise), bare(keys), bare(counts), bare(totals), bare(spread), bare(path), bare(tried), bare(gained),
                bare(trail),
            )  # fmt: skip

        return implementation if isinstance(mem, types.Array) else inner_search

    numba.overload_method(types.Integer, "bit_count")(bit_count)
    numba.overload_method(types.Integer, "bit_length")(bit_length)
    for function in INNER:
        numba.register_jitable(**MODEL)(function)
    numba.overload(inner_run, jit_options=MODEL, strict=False)(run)
    numba.overload(inner_play_deal, jit_options=MODEL, strict=False)(play_deal)
    numba.register_jitable(**MODEL)(rollout.rollout)
    numba.overload(inner_search, jit_options=MODEL, strict=False)(search)


def compile_function(function: Callable[..., Any], signature: str, tell: Callable[[str], None]) -> Callable[..., Any]:
    """Compile a function of the engine, or load it from the cache; `tell` hears of a compilation."""
    numba: Any = import_module("numba")
    prepare()
    folder = cache_folder()
    ready = folder / f"{function.__name__}.ready"
    keep = can_write(folder)
    cold = not ready.exists()
    if cold:
        announce(tell)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        result: Callable[..., Any] = numba.njit(signature, cache=keep, nogil=True, **MODEL)(function)
    finally:
        numba.config.CACHE_DIR = before
    if cold and keep:
        ready.touch()
    return result


def run_arrays(code: Any, tab: Any, mem: Any, log: Any) -> int:
    """Stand before `kernel.run`: the body that Numba compiles."""
    return kernel.run(code, tab, mem, log)


def play_deal_arrays(code: Any, tab: Any, mem: Any, log: Any, wa: Any, rng: Any) -> int:
    """Stand before `playout.play_deal`."""
    return playout.play_deal(code, tab, mem, log, wa, rng)


def search_arrays(
    code: Any, tab: Any, worlds: Any, chosen: Any, sizes: Any, mem: Any, log: Any, rng: Any, par: Any, sort: Any, quiet: Any,
    promise: Any, keys: Any, counts: Any, totals: Any, spread: Any, path: Any, tried: Any, gained: Any, trail: Any,
) -> int:  # fmt: skip
    """Stand before `descent.search`."""
    return descent.search(
        code, tab, worlds, chosen, sizes, mem, log, rng, par, sort, quiet, promise, keys, counts, totals, spread, path, tried, gained, trail
    )  # fmt: skip


@cache
def run(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled `kernel.run`; vectors are C-contiguous int64 arrays."""
    return compile_function(run_arrays, RUN, tell)


@cache
def play_deal(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled `playout.play_deal`."""
    return compile_function(play_deal_arrays, PLAY_DEAL, tell)


@cache
def search(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled `descent.search`; `totals` and `spread` are float64 arrays, all other vectors int64."""
    return compile_function(search_arrays, SEARCH, tell)


@cache
def simulate(tell: Callable[[str], None] = say) -> Callable[..., int]:
    """Give the compiled `playout.simulate`; `squares` is a float64 array, all other vectors int64."""
    return compile_function(playout.simulate, SIMULATE, tell)
