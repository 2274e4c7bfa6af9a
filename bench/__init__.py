"""Measurements of the engine; `python -m bench` makes them all and writes the table in `bench/README.md`."""
