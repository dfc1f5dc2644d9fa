"""The measures of agreement between annotators; `karat.agreement.coefficients` computes them.

Every annotation is a distribution over the leaves of a tag set: p and q are those of two annotators of an item.
"""

from __future__ import annotations

from karat.measures.measure import Bounds, Measure


class AgreementMeasure(Measure):
    """How well annotators agree, as a measure: what its value is follows from the counts that annotators make."""

    family = "agreement"
    has_parts = has_aligned = False
    unit = ""

    def __init__(self, name: str, title: str, what: str, source: str, bounds: Bounds) -> None:
        self.name, self.title, self.what, self.source, self.bounds = name, title, what, source, bounds


AGREEMENT_MEASURES = (
    AgreementMeasure("observed", "observed agreement", "the mean of Σ p·q", "Melamed & Resnik 2000", "share"),
    AgreementMeasure(
        "kappa_pooled", "pooled kappa", "(observed − Σ Pr(l)²) / (1 − Σ Pr(l)²)", "Siegel & Castellan 1988", "at most 1"
    ),
    AgreementMeasure(
        "kappa_cohen", "Cohen's kappa", "the same with each annotator's own Pr(l)", "Cohen 1960", "at most 1"
    ),
    AgreementMeasure(
        "alpha", "Krippendorff's alpha", "1 − Do/De, where D = 1 − Σ min(p, q)", "Krippendorff 2004",
        "at most 1",
    ),
)  # fmt: skip
