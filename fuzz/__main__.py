"""Coverage-guided fuzzing with atheris: `python -m fuzz [-max_total_time=60 …]`, options as libFuzzer takes them.

Seeds are the shipped rulesets, the examples of all diagnostics, the inputs made to hurt, and what stands in `fuzz/corpus/`;
what is found to be new is kept there, and what fails in the working directory.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"


def seeds(folder: Path) -> None:
    """Writes the seeds to a folder, one file each."""
    from dsl.codes import CODES

    texts = [path.read_bytes() for path in sorted((ROOT / "rulesets").glob("*.yaml")) if ".cases." not in path.name]
    texts += [text.encode(errors="replace") for code in CODES.values() for text in (code.file(False), code.file(True)) if text]
    sys.path.insert(0, str(ROOT / "tests"))
    from hostile_cases import CASES

    texts += [data for make in CASES.values() if len(data := make()) < 20_000]
    for number, text in enumerate(texts):
        (folder / f"seed-{number:04}.yaml").write_bytes(text)


def main(arguments: list[str]) -> None:
    try:
        import atheris
    except ImportError:
        raise SystemExit("fuzzing needs atheris, which is not installed: pip install 'spadille[fuzz]'") from None
    with atheris.instrument_imports(include=["dsl", "interpreter", "spadille"]):
        from fuzz.target import one_input
    CORPUS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        seeds(Path(folder))
        atheris.Setup([sys.argv[0], "-timeout=10", "-rss_limit_mb=1000", *arguments, str(CORPUS), folder], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
