"""Agreement beyond chance."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats

_ROUNDING = 1e-12


def kappa(observed: Floats, chance: Floats) -> Floats:
    """(Pr(A) − Pr(E)) / (1 − Pr(E)), whatever chance is taken for; NaN where it leaves nothing to win.

    [Melamed & Resnik 2000, eq. 3; Cohen 1960; Fleiss 1971]
    """
    room = np.where(1 - chance > _ROUNDING, 1 - chance, np.nan)
    return (observed - chance) / room
