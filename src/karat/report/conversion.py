"""What was converted, and what is lost, for people."""

from __future__ import annotations

from karat.corpus.conversion.convert import Conversion
from karat.report.shown import counted
from karat.result import Report, Table


def conversion_report(result: Conversion) -> Report:
    """What was written, and a table of what the format does not hold."""
    size = f"{counted(result.n_sentences, 'sentence')}, {counted(result.n_words, 'word')}"
    if result.is_copy:
        what = f"{result.source} is in {result.format} already: copied to {result.path} byte for byte ({size})."
        return Report([what], [])
    what = f"{result.source} ({result.source_format}) written to {result.path} as {result.format}: {size}."
    if not result.losses:
        return Report([what, "Nothing is lost."], [])
    table = Table(["lost", "number"], [[one.what, one.n] for one in result.losses])
    return Report([what, f"The format {result.format} does not hold:"], [table])
