"""What Hogenhout & Matsumoto 1996 print: Tables 1, 2 and 4, and the numbers of section 6."""

from __future__ import annotations

from collections.abc import Mapping

SYSTEMS = ("A", "B")
# Table 1. B's EMA is printed as 6858; Table 2 has YY + NY = 6859.
ITEMS: Mapping[str, tuple[int, int]] = {
    "TTB": (11400, 11400), "TPB": (8671, 8771), "EMA": (6748, 6858), "EMR": (0, 0), "CEA": (204, 182),
    "CER": (690, 611), "SPA": (956, 1049), "SPR": (73, 71), "PINH": (523, 470), "PNINH": (371, 323),
    "TINH": (5212, 5426), "TNINH": (1536, 1432),
}  # fmt: skip
PAIRED: Mapping[str, int] = {"YY": 6516, "YN": 232, "NY": 343, "NN": 4309}  # Table 2
# Table 4. Generation Rate does not follow from Table 1: by its definition it is 76.1 and 76.9 %.
MEASURES: Mapping[str, tuple[float, float]] = {
    "Generation Rate": (0.715, 0.723), "Recall-hard": (0.592, 0.602), "Recall-soft": (0.694, 0.710),
    "Precision-hard": (0.778, 0.782), "Precision-soft": (0.912, 0.922), "Spuriousness": (0.119, 0.128),
    "Spurious Reject": (0.071, 0.063), "False Error": (0.228, 0.230), "Test Noise": (0.142, 0.148),
    "Problem Rate": (0.032, 0.029), "P-inheritance": (0.585, 0.593), "T-inheritance": (0.772, 0.791),
}  # fmt: skip
MISPRINTED = ("Generation Rate",)
EXPECTED_YY, EXPECTED_NN = 4063, 1851  # from rounded recalls
REAL_TEST_SIZE, Z = 1139, 4.7
M1, M2 = 6234, 4027
PERSON_HOURS = 3.0
