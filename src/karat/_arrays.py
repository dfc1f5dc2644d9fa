"""The names of karat's array types."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Bytes: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ids: TypeAlias = NDArray[np.int32]
Indices: TypeAlias = NDArray[np.intp]
Words64: TypeAlias = NDArray[np.uint64]
