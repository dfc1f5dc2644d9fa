"""Who runs the trainings: this process, processes of this machine (joblib), or a Dask cluster.

All run the same function, which keeps its own results, so that none is lost with a process. Trainings can be run twice
without harm: what is there is not run again, and the same training gives the same results.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
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
    while left:
        try:
            for key, failures in _pooled(list(left.values()), store, jobs):
                left.pop(key)
                yield failures
        except TerminatedWorkerError:
            suspects = store.begun({*left}) or {*left}  # nobody began: who is to blame is not known
            for training in [left.pop(key) for key in suspects]:
                try:
                    yield from (failures for _, failures in _pooled([training], store, jobs))
                except TerminatedWorkerError:
                    store.begun({training.key})
                    yield _died(training, store)


def _pooled(trainings: Sequence[Training], store: Store, jobs: int) -> Iterator[tuple[str, list[Failure]]]:
    """The trainings in processes of their own, which end with an interruption."""
    from joblib.externals.loky import ProcessPoolExecutor, as_completed

    # loky starts a process anew that has come to hold much memory, as caches do, and would tell people about it
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
    executor = ProcessPoolExecutor(max_workers=jobs)
    try:
        waiting = [executor.submit(_with_key, one, store.folder) for one in trainings]
        for future in as_completed(waiting):
            yield future.result()
    except BaseException:
        kill_processes(executor)
        raise
    executor.shutdown(wait=True)


def kill_processes(executor: Any) -> None:
    """End the processes at once: without what loky's threads say of it, and without another interruption meanwhile."""
    is_main = threading.current_thread() is threading.main_thread()
    interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    before, threading.excepthook = threading.excepthook, lambda _: None
    try:
        executor.shutdown(wait=True, kill_workers=True)
        time.sleep(_SETTLING)
    finally:
        threading.excepthook = before
        if is_main:
            signal.signal(signal.SIGINT, interrupted)


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
