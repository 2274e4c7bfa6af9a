"""Case files: worked examples beside a ruleset, read with exact places and run through the engine.

>>> from spadille.casefile import run_cases
>>> failed = [case for case in run_cases("tresillo") if not case.passed]
"""

from spadille.casefile.reading import Case, CaseFile, CaseFileError, case_file_of, case_files, read_cases
from spadille.casefile.result import CaseResult, Failure, report_text
from spadille.casefile.runner import KINDS, run_case, run_cases

__all__ = [
    "KINDS",
    "Case",
    "CaseFile",
    "CaseFileError",
    "CaseResult",
    "Failure",
    "case_file_of",
    "case_files",
    "read_cases",
    "report_text",
    "run_case",
    "run_cases",
]
