"""What was converted or checked, and what is lost, for people."""

from __future__ import annotations

from karat.corpus.conversion.convert import Conversion
from karat.corpus.conversion.file_check import FileCheck
from karat.report.shown import counted
from karat.result import Cell, Report, Table


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


def file_check_report(result: FileCheck) -> Report:
    """That all files can be read, and a table of them."""
    rows: list[list[Cell]] = [[one.path, one.format, f"{one.sentences:,}", f"{one.words:,}"] for one in result.files]
    table = Table(["file", "format", "sentences", "words"], rows, whole=["file"])
    return Report([f"{counted(len(rows), 'file')} checked: no errors."], [table])
