"""Rows on disk: JSONL that grows board by board and outlives its run; a run that ends may leave Parquet instead."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from spadille.lab.experiment import FORMAT, Experiment, LabError, LabFailure, Row
from spadille.lab.shape import is_experiment, is_row

if TYPE_CHECKING:
    from spadille.lab.parquet import Writer

PARQUET = ".parquet"
SUFFIXES = (".jsonl", PARQUET)
LONGEST = 1_000_000  # bytes of a line


class Store:
    """A file with the rows of one experiment, held by one run at a time.

    Rows for Parquet go to a journal too, beside the file: Parquet cannot be read before it is finished.
    """

    def __init__(self, path: Path, experiment: Experiment) -> None:
        if path.suffix not in SUFFIXES:
            near = f"; did you mean `{path.with_suffix(SUFFIXES[0])}`?" if path.name else ""
            raise LabError(f"`{path}`: rows are written to a file that ends in {' or '.join(SUFFIXES)}{near}")
        self.path, self.experiment = path, experiment
        self.parquet: Writer | None = None
        self.part: Path | None = None  # where Parquet grows until it is whole
        self.journal = path
        if path.suffix == PARQUET:
            from spadille.lab.parquet import arrow

            arrow()
            self.part, self.journal = path.with_name(path.name + ".part"), path.with_name(path.name + ".part.jsonl")
        self.file: IO[bytes] | None = None

    def open(self, resume: bool) -> int:
        """Opens the file for more rows; gives how many boards are in it whole. Raises LabError.

        Without `resume` a file that is there is left alone and refused, and so is one that another run writes.
        """
        try:
            there = next((path for path in (self.path, self.journal) if path.exists()), None)
            if there is not None and not resume:
                if there == self.journal:
                    self.hold().close()  # says so if a run is at it
                raise LabError(f"`{there}` is there already; `--resume` goes on with it")
            self.file = self.hold()
            done, end = self.whole(self.file)
            if self.part and self.path.exists():
                done, end = self.unpack(self.file, done, end)
            self.file.truncate(end)
            self.file.seek(end)
            if not end:
                self.file.write(line(header(self.experiment)))
                self.file.flush()
            if self.part:
                self.begin_parquet()
            return done
        except LabError:
            self.let_go()
            raise
        except OSError as problem:
            self.let_go()
            raise cannot(self.path, "written", problem) from None

    def hold(self) -> IO[bytes]:
        """The journal, made if need be, and locked until it is closed or the process ends; raises LabError if another run has it."""
        while True:
            file = os.fdopen(os.open(self.journal, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
            if not lock(file):
                file.close()
                raise LabError(f"`{self.journal}` is being written by another run; wait for it, or write to another file")
            # A run that ended meanwhile may have put Parquet in its place.
            try:
                if os.path.samestat(os.fstat(file.fileno()), self.journal.stat()):
                    return file
            except FileNotFoundError:
                pass
            file.close()

    def begin_parquet(self) -> None:
        """Starts the Parquet file anew, with the rows that are in the journal."""
        from spadille.lab.parquet import Writer

        assert self.part is not None
        self.parquet = Writer(self.part, line(header(self.experiment)))
        self.parquet.add(read_rows(self.journal))

    def add(self, rows: Iterable[Row]) -> None:
        """Writes the rows of whole boards; they are safe from a kill of the process when this returns."""
        assert self.file is not None
        rows = list(rows)
        try:
            self.file.write(b"".join(map(line, rows)))
            self.file.flush()
            if self.parquet is not None:
                self.parquet.add(rows)
        except OSError as problem:
            raise cannot(self.path, "written", problem, LabFailure) from None

    def close(self, finished: bool) -> None:
        """Closes the file; a finished run's journal gives way to its Parquet."""
        if self.file is None:
            return
        try:
            if self.parquet is not None and self.part is not None:
                writer, self.parquet = self.parquet, None
                writer.close()
                if finished:
                    os.replace(self.part, self.path)
                    self.journal.unlink()
                else:
                    self.part.unlink()
        except OSError as problem:
            raise cannot(self.path, "written", problem, LabFailure) from None
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Ends the hold on the journal."""
        if self.file is None:
            return
        self.file.close()
        self.file = None

    def whole(self, file: IO[bytes]) -> tuple[int, int]:
        """How many boards are whole in the journal, and where the last of them ends; raises LabError for other rows."""
        rotations, safe = self.experiment.rotations, 0
        first = file.readline(LONGEST)
        if not first.endswith(b"\n"):
            # Killed before the first line was whole: nothing is lost.
            if first and not line(header(self.experiment)).startswith(first):
                raise LabError(f"`{self.journal}` is no file of rows")
            return 0, 0
        self.check(read_header(self.journal, first))
        safe = at = len(first)
        number, due = 1, (0, 0, 0)
        while (text := file.readline(LONGEST)).endswith(b"\n"):
            at, number = at + len(text), number + 1
            row = read_line(self.journal, text, number)
            if (row["board"], row["rotation"], row["deal"]) != due:
                raise LabError(f"`{self.journal}`, line {number}: board {due[0]}, rotation {due[1]}, deal {due[2]} is due here")
            due = (due[0], due[1], due[2] + 1)
            if row["last"]:
                board, rotation = divmod(due[0] * rotations + due[1] + 1, rotations)
                due = (board, rotation, 0)
                safe = safe if rotation else at
        return due[0], safe

    def check(self, head: dict[str, Any]) -> None:
        """Raises LabError unless a header is of this experiment; says what is different."""
        if head.get("hash") == self.experiment.hash:
            return
        here, there = self.experiment.as_json(), head["experiment"]
        other = [f"{key} ({told(a)}, not {told(b)})" for key in SETTINGS for a, b in differing(there.get(key), here[key])]
        raise LabError(f"`{self.path}` has rows of another experiment: other {', '.join(other) or 'rules of the same name'}; "
                       "give what it was made with, or write to another file")  # fmt: skip

    def unpack(self, file: IO[bytes], done: int, end: int) -> tuple[int, int]:
        """Fills the journal from a Parquet file that is there, so that more rows can follow, unless more are in it already."""
        head, rows = open_rows(self.path)
        self.check(head)
        boards = 0
        for row in rows:
            boards = row["board"] + 1
        if done >= boards:
            return done, end
        file.seek(0)
        file.truncate()
        file.write(line(header(self.experiment)))
        for row in open_rows(self.path)[1]:
            file.write(line(row))
        file.flush()
        return boards, file.tell()


def lock(file: IO[bytes]) -> bool:
    """Whether nobody else holds the file, which then is held until it is closed; always so where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def open_rows(path: Path) -> tuple[dict[str, Any], Iterator[Row]]:
    """The header of a file of rows, and its rows one after another; raises LabError."""
    try:
        if path.suffix == PARQUET:
            from spadille.lab.parquet import read

            text, rows = read(path)
            return read_header(path, text), rows
        with path.open("rb") as file:
            return read_header(path, file.readline(LONGEST)), read_rows(path)
    except OSError as problem:
        part = path.with_name(path.name + ".part.jsonl")
        if part.exists():
            raise LabError(f"`{path}` is not finished: `{part}` has what is there") from None
        raise cannot(path, "read", problem) from None


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a JSONL file; half a line at the end is left out."""
    with path.open("rb") as file:
        file.readline(LONGEST)
        number = 1
        while (text := file.readline(LONGEST)).endswith(b"\n"):
            number += 1
            yield read_line(path, text, number)


def header(experiment: Experiment) -> dict[str, Any]:
    """The first line of a file: the experiment, by which it is known again."""
    return {"spadille": "rows", "format": FORMAT, "hash": experiment.hash, "experiment": experiment.as_json()}


def line(data: dict[str, Any]) -> bytes:
    """Data as a line of JSON."""
    return (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def read_header(path: Path, text: bytes) -> dict[str, Any]:
    """A header; raises LabError for what is none."""
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("spadille") != "rows" or not is_experiment(head.get("experiment")):
        raise LabError(f"`{path}` is no file of rows, which `spadille simulate RULESET --out {path}` writes")
    if head.get("format") != FORMAT:
        raise LabError(f"`{path}` has rows of format {head.get('format')!r:.20}, and only {FORMAT} is known here")
    return head


def read_line(path: Path, text: bytes, number: int) -> Row:
    """A row; raises LabError for what is none."""
    try:
        row: Row = json.loads(text)
    except (ValueError, RecursionError):
        row = {}
    if not is_row(row):
        raise LabError(f"`{path}`, line {number}: this is no row")
    return row


SETTINGS = ("ruleset", "options", "bots", "duplicate", "matches", "seed")  # by which people know an experiment again


def differing(there: object, here: object) -> Iterator[tuple[object, object]]:
    """The two values if they are not the same; of options, those that are not."""
    if isinstance(there, dict) and isinstance(here, dict):
        keys = [key for key in {**there, **here} if there.get(key) != here.get(key)]
        there, here = {key: there.get(key, "none") for key in keys}, {key: here.get(key, "none") for key in keys}
    if there != here:
        yield there, here


def told(value: object) -> str:
    """A part of an experiment in a message."""
    if isinstance(value, dict):
        return " ".join(f"{key}={one}" for key, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def cannot(path: Path, what: str, problem: OSError, kind: type[LabError] = LabError) -> LabError:
    """The error for a file that the system refuses."""
    return kind(f"`{path}` cannot be {what}: {(problem.strerror or str(problem)).lower()}")
