"""Corpora and systems whose truth is known.

`simulated` makes text with its true tags, `noisy` a gold with errors, `system` and the taggers what systems make of it,
all as arrays; `known_truth` makes a whole experiment, `write_folder` writes it. The public names are loaded on first
use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._lazy import loaded_on_first_use

if TYPE_CHECKING:
    from karat.simulate._described import Described, described
    from karat.simulate._known_truth import KnownTruth, Settings, known_truth
    from karat.simulate._language import Language, language
    from karat.simulate.folder import check_folder, write_folder
    from karat.simulate.noise import SystematicErrors, noisy, systematic_errors
    from karat.simulate.table1 import Realised, lowest_p, realised, system
    from karat.simulate.taggers import bigram_tags, most_frequent_tags
    from karat.simulate.text import Truth, simulated
    from karat.simulate.written import brackets_bytes, conllu_bytes

_HOMES = {
    "Described": "karat.simulate._described",
    "KnownTruth": "karat.simulate._known_truth",
    "Language": "karat.simulate._language",
    "Realised": "karat.simulate.table1",
    "Settings": "karat.simulate._known_truth",
    "SystematicErrors": "karat.simulate.noise",
    "Truth": "karat.simulate.text",
    "bigram_tags": "karat.simulate.taggers",
    "brackets_bytes": "karat.simulate.written",
    "check_folder": "karat.simulate.folder",
    "conllu_bytes": "karat.simulate.written",
    "described": "karat.simulate._described",
    "known_truth": "karat.simulate._known_truth",
    "language": "karat.simulate._language",
    "lowest_p": "karat.simulate.table1",
    "most_frequent_tags": "karat.simulate.taggers",
    "noisy": "karat.simulate.noise",
    "realised": "karat.simulate.table1",
    "simulated": "karat.simulate.text",
    "system": "karat.simulate.table1",
    "systematic_errors": "karat.simulate.noise",
    "write_folder": "karat.simulate.folder",
}

__all__ = [
    "Described",
    "KnownTruth",
    "Language",
    "Realised",
    "Settings",
    "SystematicErrors",
    "Truth",
    "bigram_tags",
    "brackets_bytes",
    "check_folder",
    "conllu_bytes",
    "described",
    "known_truth",
    "language",
    "lowest_p",
    "most_frequent_tags",
    "noisy",
    "realised",
    "simulated",
    "system",
    "systematic_errors",
    "write_folder",
]

__getattr__, __dir__ = loaded_on_first_use(globals(), _HOMES)
