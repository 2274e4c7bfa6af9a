"""Rows as Parquet: written in groups as they come, read a group at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spadille.lab.experiment import LabError, LabFailure, Row
from spadille.lab.shape import KINDS, is_row

GROUP = 5_000  # rows written at a time
META = b"spadille"  # where the header is in a file's metadata


class Writer:
    """A Parquet file that grows by groups of rows, the same however the rows come in."""

    def __init__(self, path: Path, head: bytes) -> None:
        self.schema = schema(head)
        self.file = arrow().parquet.ParquetWriter(path, self.schema)
        self.waiting: list[Row] = []

    def add(self, rows: Iterable[Row]) -> None:
        """Takes in rows; they are written when there are enough."""
        for row in rows:
            self.waiting.append(row)
            if len(self.waiting) == GROUP:
                self.write()

    def write(self) -> None:
        """Writes what waits as a group."""
        pa = arrow()
        columns = [[list(row[key].items()) if kind is dict else row[key] for row in self.waiting] for key, kind in KINDS.items()]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, self.schema, strict=True)]
        self.file.write_table(pa.Table.from_arrays(arrays, schema=self.schema))
        self.waiting.clear()

    def close(self) -> None:
        """Ends the file, which can be read from then on."""
        if self.waiting:
            self.write()
        self.file.close()


def schema(head: bytes) -> Any:
    """The columns of rows."""
    pa = arrow()
    whole, text = pa.int64(), pa.string()
    kinds: dict[Any, Any] = {int: whole, bool: pa.bool_(), list: pa.list_(text), dict: pa.map_(text, whole)}
    kinds |= {str | None: text, int | None: whole, list | None: pa.list_(whole)}
    return pa.schema([(key, kinds[kind]) for key, kind in KINDS.items()], metadata={META: head})


def read(path: Path) -> tuple[bytes, Iterator[Row]]:
    """The text of the header, and the rows of a Parquet file; raises LabError."""
    pa = arrow()
    try:
        file = pa.parquet.ParquetFile(path)
    except pa.ArrowInvalid:
        raise LabError(f"`{path}` is no Parquet file") from None
    if file.schema_arrow.names != list(KINDS):
        raise LabError(f"`{path}` is no file of rows: it has other columns")
    maps = [key for key, kind in KINDS.items() if kind is dict]

    def rows() -> Iterator[Row]:
        for batch in file.iter_batches(GROUP):
            for row in batch.to_pylist():
                row |= {key: dict(row[key] or ()) for key in maps}
                if not is_row(row):
                    raise LabError(f"`{path}`: there are rows in it that are none")
                yield row

    return (file.schema_arrow.metadata or {}).get(META, b""), rows()


def arrow() -> Any:
    """The library that knows Parquet; raises LabError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LabFailure("Parquet needs pyarrow: install `spadille[lab]`, or write to a file that ends in .jsonl") from None
    return pyarrow
