"""`karat measures`: the parser measures from counts alone."""

from __future__ import annotations

import json
from typing import Any

import click

from karat.cli._options import format_options
from karat.cli._output import print_result, say
from karat.errors import DataError, Problem

__all__ = ["command"]

_MOST_BYTES = 1 << 20


@click.command("measures")
@click.argument("items", metavar="ITEMS.json")
@format_options
def command(items: str, format_: str) -> int:
    """The parser measures of Hogenhout & Matsumoto 1996 (Table 3) from counts of brackets.

    ITEMS.json (- for standard input) is an object of items: TTB, TPB (brackets of the treebank and of the parser), EM,
    CE, SP (exact matches, crossing errors, spurious brackets), each also as accepted and rejected by a person (EMA,
    EMR, CEA, CER, SPA, SPR), PINH, PNINH, TINH, TNINH (inherited or not). A measure whose items are missing is null.

    \b
    echo '{"TTB": 11400, "TPB": 8671, "EM": 6748}' | karat measures -
    """  # fmt: skip
    from karat.measures.brackets.twelve_measures import complete_items, contradictions, misprint, parser_measures
    from karat.report.parser_measures import measures_json, measures_records, measures_table

    found = _items(items)
    wrong = contradictions(complete_items(found))
    if wrong:
        name = "<stdin>" if items == "-" else items
        raise DataError([Problem("K722", f"these numbers cannot all be true: {one}", name) for one in wrong])
    values = parser_measures(found)
    if note := misprint(found):
        say(f"note: {note}")
    print_result(
        format_,
        lambda: measures_json(values),
        lambda: measures_records(values),
        lambda: [measures_table(values)],
        "",
    )
    return 0


def _items(path: str) -> dict[str, int]:
    """The items in a file, checked."""
    from karat.corpus import read_source
    from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, JUDGED_ITEMS

    source = read_source(path)
    if source.size > _MOST_BYTES:
        raise DataError(Problem("K720", "too large for an object of items", source.path))
    try:
        data: Any = json.loads(source.text(0, source.size))
    except json.JSONDecodeError as error:
        problem = Problem("K720", f"not JSON: {error.msg}", source.path, error.lineno, error.colno)
        raise DataError(problem) from None
    except RecursionError:
        raise DataError(Problem("K720", "not an object of items", source.path)) from None
    known = (*COUNTED_ITEMS, *JUDGED_ITEMS)
    if not isinstance(data, dict) or not data:
        hint = f'write an object, as in {{"TTB": 11400, "TPB": 8671}}; items are {", ".join(known)}'
        raise DataError(Problem("K720", "not an object of items", source.path, hint=hint))
    problems = []
    for name, value in data.items():
        if name not in known:
            problems.append(Problem("K721", f"no item {name!r}", source.path, hint=f"items are {', '.join(known)}"))
        elif not isinstance(value, int) or isinstance(value, bool) or value < 0:
            problems.append(Problem("K721", f"{name} is {value!r}, not a number of brackets", source.path))
    if problems:
        raise DataError(problems)
    return data
