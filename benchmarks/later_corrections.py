"""Later corrections: how many of the first rows of `karat repeats` on GUM hold a word that its annotators corrected.

    python benchmarks/later_corrections.py [--min-words N]

GUM of UD 2.3 is searched as a whole. A row is the repeat that is shown; it is right if a later release of GUM has
another UPOS for the word in brackets at one of its places (`corrections/gum-2.3-to-newest.tsv`). What was not changed
may be wrong still, and conventions that have changed count as errors. Documents are in two halves, by a hash of their
names; a row is of the half in which its rarest label comes first. The ranking was tuned on half 0 alone. Distinct rows
are those whose word and labels no row before has: karat's own are nearly so, other orders show one convention often.
"""

from __future__ import annotations

import argparse
import csv
import hashlib

from _measuring import DATA
from karat.gold.repeats.audit import Audit, AuditItem
from karat.gold.repeats.options import RepeatOptions
from karat.gold.repeats.search import repeats

ROWS = (40, 100, 500)


def corrected_words() -> set[tuple[str, int]]:
    """The words, by sentence and number, whose UPOS is another one now."""
    with open(DATA / "corrections" / "gum-2.3-to-newest.tsv", encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["sent_id"], int(row["token"])) for row in rows if row["upos"] != row["new_upos"]}


def half_of(sent_id: str) -> int:
    return hashlib.md5(sent_id.rpartition("-")[0].encode()).digest()[0] % 2


def judged(audit: Audit, item: AuditItem, corrected: set[tuple[str, int]]) -> tuple[int, bool]:
    """The half of the documents that a row is of, and whether one of its places was corrected."""
    by_label: dict[str, list[tuple[str, int]]] = {}
    for way in item.labellings:
        for corpus, sentence, place in zip(way.corpora, way.sentences, way.places, strict=True):
            word = audit.text.span(place + item.position, 1).words[0] + 1
            by_label.setdefault(way.labels[item.position], []).append((audit.sent_id(corpus, sentence) or "", word))
    rarest = min(by_label.values(), key=len)
    return half_of(rarest[0][0]), any(place in corrected for places in by_label.values() for place in places)


def distinct(audit: Audit, n: int) -> list[bool]:
    """Which of the first rows have a word, in lower case, with labels that none before has."""
    seen: set[tuple[str, frozenset[str]]] = set()
    found = []
    for item in audit.items(n):
        kind = item.words[item.position].lower(), frozenset(way.labels[item.position] for way in item.labellings)
        found.append(kind not in seen)
        seen.add(kind)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--min-words", type=int, default=3)
    arguments = parser.parse_args()
    audit = repeats([DATA / "ud-2.3" / "UD_English-GUM"], options=RepeatOptions(min_words=arguments.min_words))
    n_rows = len(audit.groups) if hasattr(audit, "groups") else len(audit)
    corrected = corrected_words()
    rows = [judged(audit, item, corrected) for item in audit.items(n_rows)]
    print(
        f"{len(audit):,} suspicious repeats of at least {arguments.min_words} words, {len(rows):,} rows; right, in %:"
    )
    is_distinct = distinct(audit, n_rows)
    for half in (0, 1):
        for name, chosen in (("rows", [True] * len(rows)), ("distinct", is_distinct)):
            hits = [
                is_right for (which, is_right), is_kept in zip(rows, chosen, strict=True) if which == half and is_kept
            ]
            shown = (f"first {min(n, len(hits))}: {100 * sum(hits[:n]) / len(hits[:n]):.1f}" for n in ROWS)
            print(f"half {half}, {name}: {', '.join(dict.fromkeys(shown))}")


if __name__ == "__main__":
    main()
