"""Who runs the trainings: this process, processes of this machine (joblib), or a Dask cluster.

All run the same function, which keeps its own results, so that none is lost with a process. Trainings can be run twice
without harm: what is there is not run again, and the same training gives the same results.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from karat import __version__
from karat.errors import UsageError
from karat.experiments.plan import Training
from karat.experiments.run import Failure, run_training
from karat.experiments.store import Store

_CONNECTING = 10  # seconds
_SETTLING = 0.2  # seconds that threads have to see that their processes are gone


def run_here(trainings: Sequence[Training], store: Store) -> Iterator[list[Failure]]:
    """One after the other, in this process."""
    for training in trainings:
        yield run_training(training, store.folder)


def run_in_processes(trainings: Sequence[Training], store: Store, jobs: int) -> Iterator[list[Failure]]:
    """Several at once. Where a process dies, as for want of memory, all others end with it and are started again.

    Each training that was under way is then tried by itself: the one that a process dies of again is given up.
    """
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = {one.key: one for one in trainings}
    with _ended_quietly():
        yield from _retried(left, store, jobs, TerminatedWorkerError)


def _retried(left: dict[str, Training], store: Store, jobs: int, death: type[BaseException]) -> Iterator[list[Failure]]:
    while left:
        try:
            for key, failures in _pooled(list(left.values()), store, jobs):
                left.pop(key)
                yield failures
        except death:
            suspects = store.begun({*left}) or {*left}  # nobody began: who is to blame is not known
            for training in [left.pop(key) for key in suspects]:
                try:
                    yield from (failures for _, failures in _pooled([training], store, jobs))
                except death:
                    store.begun({training.key})
                    yield _died(training, store)


@contextmanager
def _ended_quietly() -> Iterator[None]:
    """Where somebody interrupts the work, end the processes at once, and without what joblib's threads say of it."""
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit):
        from joblib.externals.loky import get_reusable_executor

        before, threading.excepthook = threading.excepthook, lambda _: None
        try:
            get_reusable_executor().shutdown(wait=True, kill_workers=True)
            time.sleep(_SETTLING)
        finally:
            threading.excepthook = before
        raise


def _pooled(trainings: Sequence[Training], store: Store, jobs: int) -> Iterator[tuple[str, list[Failure]]]:
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="all")
    found: Iterator[tuple[str, list[Failure]]] = pool(delayed(_with_key)(one, store.folder) for one in trainings)
    return found


def _with_key(training: Training, folder: str) -> tuple[str, list[Failure]]:
    return training.key, run_training(training, folder)


def _died(training: Training, store: Store) -> list[Failure]:
    """What is still missing of a training whose process was killed."""
    missing = [cell for cell in training.cells if not store.has(cell.key)]
    why = "the process was killed, perhaps because memory ran out"
    failures = [Failure(cell.condition, why, None) for cell in missing]
    for cell, one in zip(missing, failures, strict=True):
        store.fail(cell.key, one.to_dict())
    return failures


def run_on_cluster(trainings: Sequence[Training], store: Store, address: str) -> Iterator[list[Failure]]:
    """On the workers of a Dask cluster that see the same folders; a killed worker's trainings come back."""
    client = _connected(address)
    from distributed import as_completed

    try:
        _check_workers(client, store)
        waiting = {
            client.submit(_with_key, one, store.folder, key=f"{one.key}-{os.urandom(4).hex()}"): one
            for one in trainings
        }
        for future in as_completed(list(waiting)):  # type: ignore[no-untyped-call]
            training = waiting.pop(future)
            yield future.result()[1] if future.status == "finished" else _died(training, store)
    finally:
        client.close()


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("a Dask cluster needs more than karat alone: pip install 'karat[cluster]'") from None
    try:
        return Client(address, timeout=_CONNECTING)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None


def _check_workers(client: Any, store: Store) -> None:
    """A `UsageError` where workers have another karat, or do not see the grid's folder."""
    found = client.run(_seen, store.folder)
    if not found:
        raise UsageError("the Dask cluster has no workers")
    for worker, (version, is_there) in found.items():
        if version != __version__:
            raise UsageError(f"the worker {worker} has karat {version}, and this is karat {__version__}")
        if not is_there:
            raise UsageError(f"the worker {worker} does not see {store.folder}: workers must share its file system")


def _seen(folder: str) -> tuple[str, bool]:
    return __version__, os.path.isdir(folder)
