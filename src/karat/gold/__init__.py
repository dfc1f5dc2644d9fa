"""How good the gold is: words that are repeated, and annotated in more than one way.

The public names are loaded on first use: numba and pydivsufsort come in with the first search.
"""

from typing import TYPE_CHECKING

from karat._lazy import loaded_on_first_use

if TYPE_CHECKING:
    from karat.gold.labels import Labels, column_labels, dependency_labels
    from karat.gold.repeat_tables import (
        Table4Row,
        Table5Row,
        Table6Row,
        Table8Row,
        table_4,
        table_5,
        table_6,
        table_8,
    )
    from karat.gold.repeats import Repeats, maximal_repeats, sentences_with_a_repeat
    from karat.gold.scoring import Ranking, ranked
    from karat.gold.suspicious import Labelling, SuspiciousRepeats, suspicious_repeats
    from karat.gold.texts import RunningText, Span, running_text
    from karat.gold.tokenisation import characters

_HOMES = {
    "Labelling": "karat.gold.suspicious",
    "Labels": "karat.gold.labels",
    "Ranking": "karat.gold.scoring",
    "Repeats": "karat.gold.repeats",
    "RunningText": "karat.gold.texts",
    "Span": "karat.gold.texts",
    "SuspiciousRepeats": "karat.gold.suspicious",
    "Table4Row": "karat.gold.repeat_tables",
    "Table5Row": "karat.gold.repeat_tables",
    "Table6Row": "karat.gold.repeat_tables",
    "Table8Row": "karat.gold.repeat_tables",
    "characters": "karat.gold.tokenisation",
    "column_labels": "karat.gold.labels",
    "dependency_labels": "karat.gold.labels",
    "maximal_repeats": "karat.gold.repeats",
    "ranked": "karat.gold.scoring",
    "running_text": "karat.gold.texts",
    "sentences_with_a_repeat": "karat.gold.repeats",
    "suspicious_repeats": "karat.gold.suspicious",
    "table_4": "karat.gold.repeat_tables",
    "table_5": "karat.gold.repeat_tables",
    "table_6": "karat.gold.repeat_tables",
    "table_8": "karat.gold.repeat_tables",
}

__all__ = [
    "Labelling",
    "Labels",
    "Ranking",
    "Repeats",
    "RunningText",
    "Span",
    "SuspiciousRepeats",
    "Table4Row",
    "Table5Row",
    "Table6Row",
    "Table8Row",
    "characters",
    "column_labels",
    "dependency_labels",
    "maximal_repeats",
    "ranked",
    "running_text",
    "sentences_with_a_repeat",
    "suspicious_repeats",
    "table_4",
    "table_5",
    "table_6",
    "table_8",
]

__getattr__, __dir__ = loaded_on_first_use(globals(), _HOMES)
