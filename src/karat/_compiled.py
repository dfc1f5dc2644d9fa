"""When compiled code pays, and how it is made.

Importing numba costs half a second and compiling a kernel some more, the first time on a machine: more than most jobs
take. So small jobs are done with numpy, and kernels come in once numpy has cost about as much as they will: whatever
comes later, at most twice the best is spent. A kernel gives exactly what numpy gives.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

# Bytes of text: half a second of numpy. As much again is likely to come, as a system after its gold.
_ENOUGH = 24 << 20
_n_bytes_so_far = 0


def pays(n_more_bytes: int = 0) -> bool:
    """Whether compiled code is to be used, with so many more bytes of text to work through."""
    global _n_bytes_so_far
    did_pay = _n_bytes_so_far >= _ENOUGH
    _n_bytes_so_far += n_more_bytes
    if not did_pay and _n_bytes_so_far >= _ENOUGH:
        _give_back_memory()
    return _n_bytes_so_far >= _ENOUGH


def _give_back_memory() -> None:
    """Have the C library give the system what numpy has freed, before numba takes some 60 MB: it does not by itself."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # another C library than glibc
        ctypes.CDLL(None).malloc_trim(0)


def will_compile(module: str) -> bool:
    """Whether the kernels of a module ("gold/repeats/_suffix_intervals") are still to be compiled on this machine.

    As far as can be seen: False where numba cannot keep them beside the source.
    """
    folder, _, name = module.rpartition("/")
    kept = os.path.join(os.path.dirname(__file__), folder, "__pycache__")
    beginning, version = f"{name}.", f".py{sys.version_info.major}{sys.version_info.minor}."
    try:
        names = os.listdir(kept)
    except OSError:
        return False
    has_kernels = any(one.startswith(beginning) and version in one and one.endswith(".nbi") for one in names)
    return not has_kernels and os.access(kept, os.W_OK)


def kernel(function: Function) -> Function:
    """The function compiled; numba keeps the machine code for the next process, where it finds a folder to write to."""
    njit = _compiler()
    try:
        return cast("Function", njit(function, cache=True, nogil=True))
    except RuntimeError:  # no folder, neither beside the source nor in the user's home
        return cast("Function", njit(function, nogil=True))


def part_of_kernel(function: Function) -> Function:
    """A function for kernels, compiled into each that calls it: as a call, counting who uses an array costs more."""
    return cast("Function", _compiler()(function, forceinline=True))


def vector_part_of_kernel(function: Function) -> Callable[..., None]:
    """A function for kernels that is written in LLVM's own instructions: numba has no vectors of a fixed width."""
    _compiler()
    from numba.extending import intrinsic

    return cast("Callable[..., None]", intrinsic(function))


def _compiler() -> Callable[..., Callable[..., object]]:
    """numba's `njit`, loaded without scipy, in which numba looks for products of matrices: karat's kernels have none.

    Where a user's own numba code has some, numba finds scipy then.
    """
    if "scipy" not in sys.modules and "numba.np.arraymath" not in sys.modules:
        sys.modules["scipy"] = None  # type: ignore[assignment]  # an import of it is an ImportError
        try:
            from numba.np import arraymath
        finally:
            del sys.modules["scipy"]
        if hasattr(arraymath, "_HAVE_BLAS"):
            arraymath._HAVE_BLAS = find_spec("scipy") is not None
    from numba import njit

    return cast("Callable[..., Callable[..., object]]", njit)
