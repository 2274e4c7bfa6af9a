"""Running jobs: in this process, in a pool of processes, or on a cluster; the rows come in order, whoever played them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeAlias

from interpreter.simulation import cores
from spadille.lab.experiment import Experiment, Job, LabError, LabFailure, Row
from spadille.lab.job import play_job

TRIALS = 3  # a job that was lost with its worker so often is likely what kills them
PATIENCE = "10s"  # for a scheduler to answer
AHEAD = 64  # jobs sent and not yet back, so that memory does not grow with the number of deals

Pool: TypeAlias = Callable[[], Executor]


class Here(Executor):
    """Does a job when it is asked for, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:
            future.set_exception(problem)
        return future


def here() -> Executor:
    """This process alone."""
    return Here()


def processes(workers: int | None = None) -> Pool:
    """A pool of processes, one per core if no number is given."""
    return lambda: ProcessPoolExecutor(workers or cores(), mp_context=get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """Sees to it that a worker does not outlive a run that was killed."""
    parent = parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


def rows(
    experiment: Experiment, boards: int, pool: Pool = here, done: int = 0, size: int | None = None, ahead: int | None = None
) -> Iterator[list[Row]]:
    """The rows of the boards that are not done yet, job by job in order; the same whatever the pool and the size of jobs.

    Raises LabError; see `played`.
    """
    return played(experiment.jobs(boards, done, size), pool, ahead)


def played(jobs: Iterator[Job], pool: Pool = here, ahead: int | None = None) -> Iterator[list[Row]]:
    """The rows of jobs in their order, whoever plays them first.

    `pool` makes an executor, and makes another when its workers are lost; `ahead` jobs are with it at a time. Raises LabError.
    """
    waiting: deque[tuple[Job, int]] = deque()  # to be sent again, with the trials they had
    running: deque[tuple[Job, int, Future[list[Row]]]] = deque()
    executor = pool()
    most = ahead or (1 if isinstance(executor, Here) else pool.ahead if isinstance(pool, Cluster) else AHEAD)
    try:
        while True:
            while len(running) < most and (job := next_job(waiting, jobs)) is not None:
                try:
                    running.append((*job, executor.submit(play_job, job[0])))
                except Exception as problem:
                    if not is_loss(problem):
                        raise
                    # The pool broke between two results: what it has is lost too, and comes back below.
                    waiting.appendleft(job)
                    break
            if not running and not waiting:
                return
            lost = not running
            if running:
                job_now, trials, future = running[0]
                try:
                    found = future.result()
                except (Exception, CancelledError) as problem:
                    if not is_loss(problem):
                        if isinstance(problem, LabError) or isinstance(executor, Here):
                            raise
                        raise LabFailure(f"a worker failed at job {job_now.number}: {type(problem).__name__}: {problem}") from problem
                    if trials + 1 >= TRIALS:
                        raise LabFailure(f"job {job_now.number} (boards {job_now.first} to {job_now.first + job_now.boards - 1}) "
                                         f"was lost with its worker {TRIALS} times") from None  # fmt: skip
                    lost = True
                else:
                    running.popleft()
                    yield found
            if lost:
                # Only the job that waited longest is charged with the loss; the others may be innocent.
                again = [(job, trials + (place == 0)) for place, (job, trials, _) in enumerate(running)]
                for _, _, future in running:
                    future.cancel()
                waiting.extendleft(reversed(again))
                running.clear()
                close(executor)
                executor = pool()
    finally:
        close(executor)


def next_job(waiting: deque[tuple[Job, int]], jobs: Iterator[Job]) -> tuple[Job, int] | None:
    """A job that was lost, or a new one."""
    if waiting:
        return waiting.popleft()
    job = next(jobs, None)
    return None if job is None else (job, 0)


def is_loss(problem: BaseException) -> bool:
    """Whether a job was lost with its worker, rather than failed."""
    return isinstance(problem, BrokenProcessPool | CancelledError) or type(problem).__module__.partition(".")[0] == "distributed"


def close(executor: Executor) -> None:
    """Ends an executor, whatever state it is in."""
    with suppress(Exception):
        executor.shutdown(wait=True, cancel_futures=True)


class ClusterExecutor(Executor):
    """The executor of a dask client, and the client with it if it was made for this."""

    def __init__(self, client: Any, own: bool) -> None:
        self.client, self.own = client, own
        # A row is decided by its job alone, so a job may be done twice.
        self.inner: Executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Sends a job to the scheduler."""
        return self.inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the hold on the cluster; with `cancel_futures` what is not done is given up."""
        try:
            self.inner.shutdown(wait=wait and not cancel_futures)
        finally:
            if self.own:
                self.client.close()


class Cluster:
    """Makes executors for the workers of a dask scheduler; `ahead` jobs keep all of them busy."""

    def __init__(self, address: str | None) -> None:
        try:
            self.dask: Any = import_module("distributed")
        except ImportError:
            raise LabFailure("a cluster needs dask.distributed: install `spadille[cluster]`") from None
        self.address = address
        # The first client is made at once, so that a wrong address is told before anything is done.
        self.waiting: Any = self.client()
        self.ahead = max(AHEAD, 4 * sum(self.waiting.nthreads().values()))

    def client(self) -> Any:
        """A client of the scheduler at the address, or the client that is open; raises LabError."""
        try:
            return self.dask.get_client() if self.address is None else self.dask.Client(self.address, timeout=PATIENCE)
        except Exception as problem:
            said = str(problem).partition("\n")[0] or type(problem).__name__
            raise LabError(
                f"no cluster answers at `{self.address}` ({said}); `dask scheduler` says where it is, like tcp://host:8786"
            ) from None

    def __call__(self) -> Executor:
        try:
            client, self.waiting = self.waiting or self.client(), None
        except LabError as problem:
            raise LabFailure(str(problem)) from None
        return ClusterExecutor(client, self.address is not None)


def cluster(address: str | None = None) -> Pool:
    """Workers of dask.distributed: of the scheduler at an address, or of the client that is open; raises LabError."""
    return Cluster(address)
