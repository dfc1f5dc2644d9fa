"""Corrected corpora written to files: checked before the first of them is written, and all of them or none."""

from __future__ import annotations

from dataclasses import replace

from karat.corpus import PathLike
from karat.corpus.write import edited_bytes, misread_column, part_targets, write_parts
from karat.errors import DataError, UsageError
from karat.gold.correction_results import Corrections


def write_corrected(corrections: Corrections, path: PathLike, *, log: PathLike | None = None) -> Corrections:
    """Write the corrected corpus; the same corrections come back, with the names of its files.

    Files ending in .gz, .bz2 and .xz are compressed. A corpus of several files is written into a folder, each under
    its name. The `log` has a line for each change. What was read is never written over. All files are checked before
    the first is written: read again, they have the new values and else what they had. They appear once all of them
    are complete, or none does.
    """
    corpus = corrections.corpus
    if corpus is None:
        raise UsageError("no corpus to write")
    targets = part_targets(corpus.source, path, corrections.judgements)
    data = [edited_bytes(corpus.source, part, corrections.edits) for part in corpus.source.parts]
    changes = {(one.word, one.column): one.new for one in corrections.changes}
    if changes and (name := misread_column(corpus, changes, data)) is not None:
        row = next(change.row for change in corrections.changes if change.column == name or name == "form")
        message = f"{row.label or 'a label'!r} cannot be written in the format {corpus.format}"
        raise DataError(row.problem("K742", message, "is it misspelt?"))
    logged = corrections.log_text.encode("utf-8", "backslashreplace")
    write_parts(path, targets, data, log=(log, logged) if log else None)
    return replace(corrections, written=tuple(targets))
