"""What Hogenhout & Matsumoto 1996 print: the example of section 3, Tables 1, 2 and 4, and the numbers of section 6."""

from __future__ import annotations

from collections.abc import Mapping

SYSTEMS = ("A", "B")
# The example of section 3: its items, and those of its first and second sentence where they are printed
EXAMPLE: Mapping[str, int] = {
    "EM": 5, "CE": 2, "SP": 2, "TTB": 7, "TPB": 9, "PINH": 1, "PNINH": 1, "TINH": 1, "TNINH": 4,
}  # fmt: skip
EXAMPLE_SENTENCES: Mapping[str, tuple[str | None, str]] = {
    "EM": ("3", "2"), "CE": (None, "both in the second sentence"), "SP": ("1", "1"),
}  # fmt: skip
# Table 1. B's EMA is 6858, and the sums of this table fit that; Table 2 has YY + NY = 6859.
ITEMS: Mapping[str, tuple[int, int]] = {
    "TTB": (11400, 11400), "TPB": (8671, 8771), "EMA": (6748, 6858), "EMR": (0, 0), "CEA": (204, 182),
    "CER": (690, 611), "SPA": (956, 1049), "SPR": (73, 71), "PINH": (523, 470), "PNINH": (371, 323),
    "TINH": (5212, 5426), "TNINH": (1536, 1432),
}  # fmt: skip
# In brackets behind them: % of TPB
ITEM_SHARES: Mapping[str, tuple[float, float]] = {
    "EMA": (77.8, 78.2), "CEA": (2.4, 2.1), "CER": (8.0, 7.0), "SPA": (11.0, 12.0), "SPR": (0.8, 0.8),
}  # fmt: skip
PAIRED: Mapping[str, int] = {"YY": 6516, "YN": 232, "NY": 343, "NN": 4309}  # Table 2
PAIRED_SHARES: Mapping[str, float] = {"YY": 57.2, "YN": 2.0, "NY": 3.1, "NN": 37.8}  # % of TTB
# Table 3: what measures are calculated from
FORMULAS: Mapping[str, tuple[str, str]] = {
    "Generation Rate": ("TPB", "TTB"), "Recall-hard": ("EMA", "TTB"), "Recall-soft": ("EMA+CEA+SPA", "TTB"),
    "Precision-hard": ("EMA", "TPB"), "Precision-soft": ("EMA+CEA+SPA", "TPB"), "Spuriousness": ("SPA+SPR", "TPB"),
    "Spurious Reject": ("SPR", "SPA+SPR"), "False Error": ("CEA", "CEA+CER"),
    "Test Noise": ("EMR+CEA+SPA+SPR", "TPB"), "Problem Rate": ("EMR+CEA+SPR", "TPB"),
    "P-inheritance": ("PINH", "PINH+PNINH"), "T-inheritance": ("TINH", "TINH+TNINH"),
}  # fmt: skip
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
