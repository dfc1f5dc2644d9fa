"""What Acedański & Przepiórkowski 2010 print about their experiment: Tables 1 to 5.

Table 1, the weights of their WPA, is carried by karat as `poliqarp-2010`; here it is as printed. Their corpus is the
manually disambiguated part of the IPI PAN Corpus (880,000 segments), ten folds. Column C is strong correctness. Shares
are between 0 and 1.
"""

from __future__ import annotations

STATISTICS = ("SC", "WC", "P", "R", "F")
TAKIPI, TAKIPI_ONE, BRILL = "TaKIPI, defaults", "TaKIPI, one tag", "Brill"
N_SEGMENTS = 880_000

# Table 1: how often queries mention a category, by the paper's names of categories and karat's
QUERY_LOGS = (
    ("POS", "pos", 37771),
    ("CASE", "case", 14055),
    ("NUMBER", "number", 2074),
    ("GENDER", "gender", 552),
    ("ASPECT", "aspect", 222),
    ("PERSON", "person", 186),
    ("DEGREE", "degree", 81),
    ("ACCOMMODABILITY", "accommodability", 25),
    ("POST-PREP.", "post-prepositionality", 8),
    ("NEGATION", "negation", 7),
    ("ACCENTABILITY", "accentability", 5),
    ("AGGLUTINATION", "agglutination", 4),
)

_TABLES = {
    2: ((87.67, 92.10, 89.93, 84.72, 87.25), (88.68, 91.06, 90.94, 83.78, 87.21), (90.01, 92.44, 92.26, 85.00, 88.49)),
    3: ((95.56, 97.52, 95.71, 97.61, 96.65), (96.53, 96.54, 96.58, 96.71, 96.65), (98.17, 98.18, 98.20, 98.26, 98.23)),
    4: ((95.23, 96.58, 95.69, 95.44, 95.57), (95.69, 96.10, 96.12, 95.00, 95.56), (97.02, 97.43, 97.42, 96.27, 96.84)),
    5: ((95.20, 96.62, 95.34, 96.56, 95.95), (95.88, 95.93, 95.97, 95.94, 95.95), (97.34, 97.40, 97.41, 97.34, 97.38)),
}
# what each tagger has in each table, by statistic
TABLES: dict[int, dict[str, dict[str, float]]] = {
    table: {
        tagger: {name: round(value / 100, 4) for name, value in zip(STATISTICS, row, strict=True)}
        for tagger, row in zip((TAKIPI, TAKIPI_ONE, BRILL), rows, strict=True)
    }
    for table, rows in _TABLES.items()
}
# how tags are scored in each table
SCORED_BY = {2: "exact", 3: "pos", 4: "PA", 5: "WPA queries"}
# which of our systems is most like each of the paper's
SEVERAL_TAGS = "trees, several tags"
LIKE = {TAKIPI: SEVERAL_TAGS, TAKIPI_ONE: "trees, one tag", BRILL: "Brill"}


def number_of(statistic: str, tagger: str) -> str:
    """What the experiment's number beside a tagger's printed one is of."""
    return f"{statistic}, {tagger} (ours: {LIKE[tagger]})"
