"""What was written as a page, for people."""

from __future__ import annotations

from karat.report.page.write import WrittenReport
from karat.report.shown import counted
from karat.result import Report


def written_page_report(written: WrittenReport) -> Report:
    """The page in a sentence, and what is not on it."""
    parts = [
        counted(written.results, "result"),
        counted(written.sentences, "sentence"),
        counted(written.drawings, "drawing"),
    ]
    verdict = []
    if written.path:
        size = f"{written.bytes / 1e6:.2f} MB"
        verdict.append(f"{written.path} written ({', '.join(parts)}, {size}): open it in a browser.")
    if written.figures:
        verdict.append(f"{counted(len(written.figures), 'drawing')} written to {_folder(written)}.")
    return Report(verdict, [], [f"{one}." for one in written.missing])


def _folder(written: WrittenReport) -> str:
    return written.figures[0].rpartition("/")[0] or "."
