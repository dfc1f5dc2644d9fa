"""What authors of plug-ins import: measures, readers and taggers, and checks of them for their own tests.

docs/plugins.md says how they are used. The names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karat._arrays import Flags as Flags, Floats as Floats, Ids as Ids, Indices as Indices
    from karat.corpus import Corpus as Corpus, Source as Source
    from karat.corpus.from_values import corpus_from_values as corpus_from_values
    from karat.corpus.plugin_readers import Reader as Reader
    from karat.errors import DataError as DataError, Problem as Problem, UsageError as UsageError
    from karat.inference.resampling import Progress as Progress
    from karat.measures.measure import (
        ALIGNED as ALIGNED,
        CORRECT as CORRECT,
        FIELDS as FIELDS,
        GOLD as GOLD,
        SYSTEM as SYSTEM,
        AlignedMeasure as AlignedMeasure,
        GoldUnits as GoldUnits,
        HarmonicMean as HarmonicMean,
        Outcome as Outcome,
        Places as Places,
        Ratio as Ratio,
        Statistic as Statistic,
        WordMeasure as WordMeasure,
    )
    from karat.measures.words.comparison import Comparison as Comparison, at as at
    from karat.options import option as option
    from karat.plugin.measure_check import check_measure as check_measure
    from karat.plugin.reader_check import check_reader as check_reader
    from karat.plugin.tagger_check import check_tagger as check_tagger
    from karat.systems.model_file import Model as Model
    from karat.systems.options import Options as Options
    from karat.systems.tagger import Tagger as Tagger, Tagging as Tagging
    from karat.systems.words import LabelledWords as LabelledWords, WordSequence as WordSequence

_HOMES = {
    "_arrays": "Flags Floats Ids Indices",
    "corpus": "Corpus Source",
    "corpus.from_values": "corpus_from_values",
    "corpus.plugin_readers": "Reader",
    "errors": "DataError Problem UsageError",
    "inference.resampling": "Progress",
    "measures.measure": "ALIGNED AlignedMeasure CORRECT FIELDS GOLD GoldUnits HarmonicMean Outcome Places Ratio SYSTEM "
    "Statistic WordMeasure",
    "measures.words.comparison": "Comparison at",
    "options": "option",
    "plugin.measure_check": "check_measure",
    "plugin.reader_check": "check_reader",
    "plugin.tagger_check": "check_tagger",
    "systems.model_file": "Model",
    "systems.options": "Options",
    "systems.tagger": "Tagger Tagging",
    "systems.words": "LabelledWords WordSequence",
}
_HOME_OF = {name: f"karat.{home}" for home, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOME_OF]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
