"""The tables of Acedański & Przepiórkowski 2010 with our systems, and tables of what else the experiment tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from karat.corpus import Corpus
from karat.experiments.papers.acedanski_2010_claims import (
    SAID_TO_BE_COMMON,
    TestedDifference,
    category_errors,
    closer_together,
    compared,
    more_than,
)
from karat.experiments.papers.acedanski_2010_prints import (
    LIKE,
    SCORED_BY,
    SEVERAL_TAGS,
    STATISTICS,
    TABLES,
    number_of,
)
from karat.experiments.papers.acedanski_2010_scores import COLUMN, Scored, Scoring, SystemTags
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable
from karat.inference.intervals import intervals
from karat.inference.options import InferenceOptions
from karat.measures.positional.word_tags import BETWEEN
from karat.result import Cell
from karat.weights import Weights

LEAST_SHARE = 0.5  # of the likeliest tag: some 1.1 tags per word, about as many as TaKIPI leaves
SHARES = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
_NAMES = {
    2: "Table 2: full tags",
    3: "Table 3: parts of speech",
    4: "Table 4: positional accuracy (PA)",
    5: "Table 5: weighted PA, weights of query logs",
}
_SMALL_P = 0.001
_OPTIONAL = ("sd", "folds")


@dataclass(frozen=True, slots=True)
class TestedClaim:
    """What a claim of the paper came to: a table, and one sentence."""

    __test__ = False  # not a test, whatever pytest makes of its name

    table: PaperTable
    verdict: str


def _table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    shares: Sequence[str] = (),
    notes: Sequence[str] = (),
    *,
    is_short: bool = False,
    places: int = 2,
) -> PaperTable:
    """A table whose title says all that it is."""
    every = tuple(map(tuple, rows))
    optional = tuple(one for one in _OPTIONAL if one in columns)
    return PaperTable("", title, (), tuple(columns), every, tuple(notes), tuple(shares), is_short, places, optional)


# ---- Tables 2 to 5 ---------------------------------------------------------------------------------------------------


def printed_table(
    number: int, scored: Sequence[Scored], scorings: Mapping[str, Scoring], inference: InferenceOptions
) -> PaperPart:
    """One of the paper's tables: our systems, and below them what it prints."""
    scoring = scorings[SCORED_BY[number]]
    ours = _score_rows(scored, scoring, inference)
    prints: list[list[Cell]] = [
        [f"print: {tagger}", *(row[name] for name in STATISTICS), None, None, None]
        for tagger, row in TABLES[number].items()
    ]
    table = _table(_NAMES[number], _COLUMNS, [*ours, *prints], _SHARES_OF, (_how(inference),), is_short=True)
    numbers = tuple(_numbers(number, scored, scoring.name))
    return PaperPart(f"table-{number}", _NAMES[number], numbers, (("", table),))


def _numbers(table: int, scored: Sequence[Scored], scoring: str) -> Iterator[PaperNumber]:
    """What the paper prints, beside the system of ours that is most like its own."""
    by_name = {one.system: one for one in scored}
    for tagger, row in TABLES[table].items():
        if LIKE[tagger] in by_name:
            ours = by_name[LIKE[tagger]].pooled(scoring)
            for name in STATISTICS:
                of = number_of(name, tagger)
                yield PaperNumber(f"Table {table}", of, "share", ours[name], None, None, row[name], same_data=False)


_COLUMNS = ("system", *STATISTICS, "CI of F", "folds", "sd")
_SHARES_OF = (*STATISTICS, "folds", "sd")


def scores_table(
    scored: Sequence[Scored], scoring: Scoring, inference: InferenceOptions, gold: str = "", note: str = ""
) -> PaperTable:
    """SC, WC, P, R and F of every system by one way to score, pooled, and F over folds."""
    rows = _score_rows(scored, scoring, inference)
    title = f"{scoring.name}{', ' if gold else ''}{gold}"
    notes = tuple(filter(None, [note, _how(inference)]))
    return _table(title, _COLUMNS, rows, _SHARES_OF, notes)


def _score_rows(scored: Sequence[Scored], scoring: Scoring, inference: InferenceOptions) -> list[list[Cell]]:
    measure, clusters = scoring.measure(), scored[0].text.clusters
    made = intervals([(one.counts[scoring.name], measure) for one in scored], clusters, inference)
    rows: list[list[Cell]] = []
    for one, interval in zip(scored, made, strict=True):
        values, folds = one.pooled(scoring.name), one.over_folds(scoring.name, "F")
        ends = None if interval.ends is None else "–".join(f"{100 * end:.2f}" for end in interval.ends)
        rows.append([one.system, *(values[name] for name in STATISTICS), ends, *(folds or (None, None))])
    return rows


def _how(inference: InferenceOptions) -> str:
    level = f"{100 * inference.level:g} %"
    return (
        f"In %, all folds pooled; {level} CIs over documents; folds: mean of F over folds, sd: its standard deviation."
    )


# ---- variants --------------------------------------------------------------------------------------------------------


def two_columns(title: str, with_it: Sequence[Scored], without: Sequence[Scored], names: Sequence[str]) -> PaperTable:
    """The F of every system in two variants, by several ways to score."""
    rows: list[tuple[Cell, ...]] = []
    for one, other in zip(with_it, without, strict=True):
        values = [value for name in names for value in (one.pooled(name)["F"], other.pooled(name)["F"])]
        rows.append((one.system, *values))
    columns = [column for name in names for column in (name, f"{name}, without")]
    return _table(title, ("system", *columns), tuple(rows), tuple(columns), places=3)


def gold_note(gold: Corpus) -> str:
    """How many tags the gold has."""
    tags = gold.column(COLUMN)
    sizes = [one.count(BETWEEN) + 1 for one in tags.vocabulary.strings]
    n_tags = [sizes[number] for number in tags.ids.tolist()]
    several = sum(one > 1 for one in n_tags) / len(n_tags)
    return f"The gold has {sum(n_tags) / len(n_tags):.2f} tags per word; {100 * several:.1f} % of words have several."


def corpus_table(
    name: str, scored: Sequence[Scored], scorings: Sequence[Scoring], inference: InferenceOptions, n_left_out: int
) -> PaperTable:
    """The F of systems on another corpus, with intervals; so many sentences of it were left out of training."""
    rows: list[list[Cell]] = [[one.system] for one in scored]
    for scoring in scorings:
        for row, found in zip(rows, _score_rows(scored, scoring, inference), strict=True):
            row += [found[_COLUMNS.index("F")], found[_COLUMNS.index("CI of F")]]
    columns = ("system", *(column for one in scorings for column in (one.name, f"CI of {one.name}")))
    shares = tuple(one.name for one in scorings)
    words = scored[0].text.gold.n_words
    title = f"{name}: F of taggers trained on all of PDB dev and test; {words:,} words"
    clusters = scored[0].text.clusters
    note = (
        f"In %. {n_left_out:,} sentences of PDB that are in {name}, too, were left out of training. CIs are over "
        f"{clusters.n:,} {clusters.kind}s."
    )
    return _table(title, columns, rows, shares, (note,))


def several_table(name: str, scored: Sequence[Scored], scorings: Sequence[Scoring]) -> PaperTable | None:
    """SC, WC, P, R and F of the system with several tags on another corpus; of those with one tag all are the same."""
    for one in scored:
        if one.system == SEVERAL_TAGS:
            rows: list[list[Cell]] = []
            for scoring in scorings:
                values = one.pooled(scoring.name)
                rows.append([scoring.name, *(values[each] for each in STATISTICS)])
            return _table(f"{name}: {one.system}", ("measure", *STATISTICS), rows, STATISTICS)
    return None


def weights_table(weights: Mapping[str, Weights]) -> PaperTable:
    """The weights of categories that do not depend on the part of speech, as shares of that of the part of speech."""
    absolute = {name: one.absolute for name, one in weights.items() if one.absolute}
    names = dict.fromkeys(category for one in absolute.values() for category in one)
    rows = [
        (category, *(one[category] / one["pos"] if category in one else None for one in absolute.values()))
        for category in names
    ]
    title = "Weights of categories, in % of that of the part of speech"
    return _table(title, ("category", *absolute), tuple(rows), tuple(absolute))


def curve_table(found: Sequence[tuple[float, SystemTags]], scoring: Scoring) -> PaperTable:
    """Tags per word against how often the gold tag is among them, by the share that further tags must have."""
    rows: list[tuple[Cell, ...]] = []
    for least, one in found:
        values = one.scored([scoring], one.text.gold).pooled(scoring.name)
        rows.append((f"{least:g}", f"{one.tags_per_word:.3f}", *(values[name] for name in STATISTICS)))
    columns = ("share of the best", "tags per word", *STATISTICS)
    note = "WC: how often the gold tag is among the tags."
    return _table("Trees with several tags, full tags", columns, tuple(rows), STATISTICS, (note,))


def pairs_table(scored: Sequence[Scored], scoring: Scoring, inference: InferenceOptions) -> PaperTable:
    """Every pair of systems: the difference of F, its interval, and p over documents."""
    rows: list[tuple[Cell, ...]] = []
    for pair in compared(scored, scoring, inference):
        ends = pair.interval.ends if pair.interval is not None else None
        shown = None if ends is None else f"{100 * ends[0]:+.2f} to {100 * ends[1]:+.2f}".replace("-", "−")
        rows.append((pair.b, pair.a, pair.difference, shown, _shown_p(pair.p_adjusted)))
    title = f"{scoring.name}: differences of F, over {scored[0].text.clusters.n:,} documents"
    columns = ("system", "minus", "difference", "CI", "p (Holm)")
    return _table(title, columns, tuple(rows), ("difference",))


# ---- claims ----------------------------------------------------------------------------------------------------------


def between_table(scored: Sequence[Scored], inference: InferenceOptions) -> TestedClaim:
    """Whether PA and WPA lie between exact and part of speech, for each system."""
    rows: list[tuple[Cell, ...]] = []
    tested: list[TestedDifference] = []
    for one in scored:
        for name in ("PA", "WPA queries"):
            above, below = more_than(one, "exact", name, inference), more_than(one, name, "pos", inference)
            tested += [above, below]
            rows.append((one.system, name, above.value, _shown_p(above.p), below.value, _shown_p(below.p)))
    columns = ("system", "measure", "above exact", "p above", "below pos", "p below")
    table = _table("PA and WPA between exact and pos: differences of F", columns, tuple(rows), columns[2::2])
    is_so = [one.is_positive for one in tested]
    said = f"PA and WPA lie between exact and part of speech: {_held(is_so)}."
    return TestedClaim(table, said)


def closeness_table(scored: Sequence[Scored], golds: Sequence[str], inference: InferenceOptions) -> TestedClaim:
    """Whether WPA brings precision and recall together where they differ: with several tags on a side.

    `golds` names the gold of the first ones; the others are scored by the gold with all genders.
    """
    rows: list[tuple[Cell, ...]] = []
    is_so: list[bool | None] = []
    for number, one in enumerate(scored):
        gold = golds[number] if number < len(golds) else "all genders"
        values = {name: one.pooled(name) for name in ("exact", "PA", "WPA queries")}
        apart = {name: abs(of["P"] - of["R"]) for name, of in values.items()}
        if apart["exact"] < 1e-9:
            continue  # one tag on each side: P = R
        found = closer_together(one, "exact", "WPA queries", inference)
        is_so.append(found.is_positive)
        rows.append((one.system, gold, *apart.values(), found.value, _shown_p(found.p)))
    columns = ("system", "gold", "exact", "PA", "WPA", "closer by", "p")
    table = _table("How far precision and recall are apart: |P − R|", columns, tuple(rows), columns[2:6])
    said = f"WPA brings precision and recall together where words have several tags: {_held(is_so)}."
    return TestedClaim(table, said)


def errors_table(tagged: Sequence[SystemTags], inference: InferenceOptions) -> TestedClaim:
    """Which categories go wrong most often, and whether these are case, gender and number."""
    every = [category_errors(one, inference) for one in tagged]
    totals: dict[str, int] = {}
    for one in every:
        for name, count in one.counts.items():
            totals[name] = totals.get(name, 0) + count
    names = sorted(totals, key=lambda name: -totals[name])
    rows: list[tuple[Cell, ...]] = []
    for one in every:
        shares = (one.counts.get(name, 0) / max(one.n_wrong, 1) for name in names)
        rows.append((one.system, one.n_wrong / one.n_words, *shares, _shown_p(one.ahead.p)))
    columns = ("system", "wrong tags", *names, "p")
    note = (
        "Wrong tags in % of words; categories in % of wrong tags, of which one may have several. p: whether the rarest "
        f"of {', '.join(SAID_TO_BE_COMMON)} differs from the most frequent of the others but pos."
    )
    table = _table("Errors by category", columns, tuple(rows), columns[1:-1], (note,), places=1)
    held, n_pos = _held([one.ahead.is_positive for one in every]), sum(one.has_pos_before_one for one in every)
    said = f"Of grammatical categories, case, gender and number go wrong most often: {held}."
    said += f" The part of speech is wrong more often than the rarest of them in {n_pos} of {len(every)} systems."
    return TestedClaim(table, said)


def _held(is_so: Sequence[bool | None]) -> str:
    """In how many of the tests a claim holds, significantly."""
    n, right, wrong = len(is_so), sum(one is True for one in is_so), sum(one is False for one in is_so)
    if not n:
        return "nothing to test"
    if right == n:
        return f"yes, in all {n} tests"
    return f"in {right} of {n} tests, the opposite in {wrong}, undecided in {n - right - wrong}"


def _shown_p(p: float) -> str:
    return f"< {_SMALL_P:g}" if p < _SMALL_P else f"{p:.3f}"
