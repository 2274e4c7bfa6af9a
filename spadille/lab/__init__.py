"""The laboratory: experiments with bots, cut into jobs that any executor may run, and what their rows say."""

from spadille.lab.experiment import Experiment, Job, LabError, LabFailure, Row
from spadille.lab.run import here, processes, rows

__all__ = ["Experiment", "Job", "LabError", "LabFailure", "Row", "here", "processes", "rows"]
