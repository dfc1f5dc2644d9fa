"""`karat.write_report`: the page of results as a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from karat.corpus import PathLike
from karat.corpus.files import replace_file
from karat.errors import UsageError
from karat.report.page.html import page_html
from karat.report.page.named_files import files_of
from karat.report.page.page import MOST_SENTENCES, report_page
from karat.result import Result, Table, attributes

AnyResult = Result | Mapping[str, Any]
SCHEMA = "karat/report/1"


@dataclass(frozen=True, slots=True, repr=False)
class WrittenReport(Result):
    """What a page has: how many results, sentences and drawings, and why sentences of some are missing."""

    path: str
    bytes: int
    results: int
    sentences: int
    drawings: int
    figures: tuple[str, ...]
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """What was written, as plain data, in the schema karat/report/1."""
        return {"schema": SCHEMA, **attributes(self, "path bytes results sentences drawings figures missing")}

    def records(self) -> Table:
        """One row: the page."""
        names = ["path", "bytes", "results", "sentences", "drawings"]
        return Table(names, [[getattr(self, name) for name in names]])


def write_report(
    results: AnyResult | Sequence[AnyResult],
    path: PathLike | None,
    *,
    baseline: AnyResult | Sequence[AnyResult] = (),
    figures: PathLike | None = None,
    title: str = "",
    n_sentences: int = MOST_SENTENCES,
    folders: Sequence[PathLike] = (".",),
) -> WrittenReport:
    """Write one offline HTML page from results: the verdict, tables that sort, drawings, sentences behind the numbers.

    Results are what verbs return, or their data as `--json` prints it. Sentences are read again from the files that the
    results name, looked for in `folders`, up to `n_sentences` of them; where a file is not as it was, the page says so.
    `baseline` are earlier results of the same systems: the page then says what is newly right and newly wrong. With
    `figures`, each drawing is also written to that folder as SVG; without a `path`, that is all that is written.
    """
    page = report_page(_data(results), folders=folders, baseline=_data(baseline), title=title, n_sentences=n_sentences)
    text = page_html(page).encode("utf-8", "backslashreplace")
    if path is not None:
        _refuse_named(path, [*_data(results), *_data(baseline)], folders)
        try:
            replace_file(os.path.realpath(path), text)  # a link stays one
        except OSError as error:
            raise UsageError(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None
    written: list[str] = []
    if figures is not None:
        from karat.report.draw.figures import write_figures

        written = [str(one) for one in write_figures(figures, page.drawings)]
    return WrittenReport(
        "" if path is None else os.fspath(path),
        len(text),
        len(_data(results)),
        sum(len(one.sentences) for one in page.sentences),
        len(page.drawings),
        tuple(written),
        tuple(page.missing),
    )


def _refuse_named(path: PathLike, results: Sequence[Mapping[str, Any]], folders: Sequence[PathLike]) -> None:
    """Stop before the page is written over a file that one of the results was made from."""
    if not os.path.exists(path):
        return
    for result in results:
        for named in files_of(result):
            for one in (named.path, *named.path.split(",")):
                for place in (os.path.join(folder, one) for folder in folders):
                    if os.path.exists(place) and os.path.samefile(place, path):
                        raise UsageError(f"{os.fspath(path)} is an input of a result and will not be overwritten")


def _data(results: AnyResult | Sequence[AnyResult]) -> list[Mapping[str, Any]]:
    several = [results] if isinstance(results, Result | Mapping) else results
    return [one.to_dict() if isinstance(one, Result) else one for one in several]
