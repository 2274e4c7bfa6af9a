"""Rows on disk: JSONL that grows deal by deal and outlives its run, or Parquet made of it at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from spadille.lab.experiment import FORMAT, Experiment, LabError, Row

PARQUET = ".parquet"
SUFFIXES = (".jsonl", PARQUET)
BATCH = 5_000  # rows written to Parquet at a time
LONGEST = 1_000_000  # characters of a line
META = b"spadille"


class Store:
    """A file with the rows of one experiment. Rows of Parquet wait in a journal beside it until the run ends."""

    def __init__(self, path: Path, experiment: Experiment) -> None:
        if path.suffix not in SUFFIXES:
            raise LabError(f"`{path}`: rows are written to a file that ends in {' or '.join(SUFFIXES)}")
        self.path, self.experiment = path, experiment
        self.parquet = path.suffix == PARQUET
        if self.parquet:
            arrow()
        self.journal = path.with_name(path.name + ".part.jsonl") if self.parquet else path
        self.file: IO[bytes] | None = None

    def open(self, resume: bool) -> int:
        """Opens the file for more rows; gives how many deals are in it whole. Raises LabError.

        Without `resume` a file that is there is left alone and refused.
        """
        try:
            if not resume and (self.path.exists() or self.journal.exists()):
                shown = self.path if self.path.exists() else self.journal
                raise LabError(f"`{shown}` is there already; `--resume` goes on with it")
            if self.parquet and self.path.exists():
                self.unpack()
            done, end = self.whole() if self.journal.exists() else (0, 0)
            self.file = self.journal.open("r+b" if self.journal.exists() else "w+b")
            self.file.truncate(end)
            self.file.seek(end)
            if not end:
                self.file.write(line(header(self.experiment)))
                self.file.flush()
            return done
        except OSError as problem:
            raise cannot(self.path, "written", problem) from None

    def add(self, rows: Iterable[Row]) -> None:
        """Writes the rows of whole deals; they are safe from a kill of the process when this returns."""
        assert self.file is not None
        try:
            self.file.write(b"".join(map(line, rows)))
            self.file.flush()
        except OSError as problem:
            raise cannot(self.path, "written", problem) from None

    def close(self, finished: bool) -> None:
        """Closes the file; a finished run's journal becomes Parquet."""
        if self.file is None:
            return
        self.file.close()
        self.file = None
        if not (self.parquet and finished):
            return
        part = self.path.with_name(self.path.name + ".part")
        try:
            write_parquet(part, header(self.experiment), read_rows(self.journal))
            os.replace(part, self.path)
            self.journal.unlink()
        except OSError as problem:
            raise cannot(self.path, "written", problem) from None

    def whole(self) -> tuple[int, int]:
        """How many deals are whole in the journal, and where the last of them ends; raises LabError for other rows."""
        rotations, count, safe = self.experiment.rotations, 0, 0
        with self.journal.open("rb") as file:
            first = file.readline(LONGEST)
            if not first.endswith(b"\n"):
                # Killed before the first line was whole: nothing is lost.
                if first and not line(header(self.experiment)).startswith(first):
                    raise LabError(f"`{self.journal}` is no file of rows")
                return 0, 0
            self.check(read_header(self.journal, first))
            safe = at = len(first)
            while (text := file.readline(LONGEST)).endswith(b"\n"):
                at += len(text)
                row = read_line(self.journal, text, count + 2)
                if (row.get("deal"), row.get("rotation")) != divmod(count, rotations):
                    raise LabError(f"`{self.journal}`, line {count + 2}: deal {count // rotations} is due, rotation {count % rotations}")
                count += 1
                if count % rotations == 0:
                    safe = at
        return count // rotations, safe

    def check(self, head: dict[str, Any]) -> None:
        """Raises LabError unless a header is of this experiment; says what is different."""
        if head.get("hash") == self.experiment.hash:
            return
        here, there = self.experiment.as_json(), head.get("experiment")
        other = [key for key in here if not isinstance(there, dict) or there.get(key) != here[key]]
        raise LabError(f"`{self.path}` has rows of another experiment: other {', '.join(other) or 'version'}")

    def unpack(self) -> None:
        """Makes a journal of a Parquet file again, so that more rows can follow."""
        head, rows = open_rows(self.path)
        self.check(head)
        if self.journal.exists():
            return
        part = self.journal.with_name(self.journal.name + ".new")
        with part.open("wb") as file:
            file.write(line(header(self.experiment)))
            for row in rows:
                file.write(line(row))
        os.replace(part, self.journal)


def open_rows(path: Path) -> tuple[dict[str, Any], Iterator[Row]]:
    """The header of a file of rows, and its rows one after another; raises LabError."""
    try:
        if path.suffix == PARQUET:
            return read_parquet(path)
        with path.open("rb") as file:
            return read_header(path, file.readline(LONGEST)), read_rows(path)
    except OSError as problem:
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
    if not isinstance(head, dict) or head.get("spadille") != "rows" or not isinstance(head.get("experiment"), dict):
        raise LabError(f"`{path}` is no file of rows")
    if head.get("format") != FORMAT:
        raise LabError(f"`{path}` has rows of format {head.get('format')!r:.20}, and only {FORMAT} is known here")
    return head


def read_line(path: Path, text: bytes, number: int) -> Row:
    """A row; raises LabError for what is none."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict) or any(not isinstance(row.get(key), kind) for key, kind in KINDS.items()):
        raise LabError(f"`{path}`, line {number}: this is no row")
    return row


KINDS: dict[str, Any] = {
    "deal": int, "rotation": int, "seed": int, "bots": list, "contract": str | None, "outcome": str | None, "declarer": int | None,
    "payoffs": list, "payments": list, "answers": dict, "decisions": int, "forced": int, "branching": int,
}  # fmt: skip


def cannot(path: Path, what: str, problem: OSError) -> LabError:
    """The error for a file that the system refuses."""
    return LabError(f"`{path}` cannot be {what}: {(problem.strerror or str(problem)).lower()}")


# ------------------------------------------------------------------- Parquet


def arrow() -> Any:
    """The library that knows Parquet; raises LabError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LabError("Parquet needs pyarrow: install `spadille[lab]`, or write to a file that ends in .jsonl") from None
    return pyarrow


def write_parquet(path: Path, head: dict[str, Any], rows: Iterator[Row]) -> None:
    """Writes rows to a Parquet file, some thousands at a time."""
    pa = arrow()
    whole, text = pa.int64(), pa.string()
    kinds = {int: whole, list: pa.list_(text), dict: pa.map_(text, whole), str | None: text, int | None: whole}
    schema = pa.schema([(key, kinds[kind]) for key, kind in KINDS.items()], metadata={META: line(head)})
    with pa.parquet.ParquetWriter(path, schema) as writer:
        while batch := list(islice(rows, BATCH)):
            columns = [[list(row[key].items()) if kind is dict else row[key] for row in batch] for key, kind in KINDS.items()]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def read_parquet(path: Path) -> tuple[dict[str, Any], Iterator[Row]]:
    """The header and the rows of a Parquet file; raises LabError."""
    pa = arrow()
    try:
        file = pa.parquet.ParquetFile(path)
    except pa.ArrowInvalid:
        raise LabError(f"`{path}` is no Parquet file") from None
    head = read_header(path, (file.schema_arrow.metadata or {}).get(META, b""))
    if file.schema_arrow.names != list(KINDS):
        raise LabError(f"`{path}` has other columns than rows have")

    def rows() -> Iterator[Row]:
        for batch in file.iter_batches(BATCH):
            for row in batch.to_pylist():
                yield row | {"answers": dict(row["answers"])}

    return head, rows()
