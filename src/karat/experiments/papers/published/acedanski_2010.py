"""The numbers of Acedański & Przepiórkowski 2010: their examples, their weights, and their tables of taggers.

Tables 2 to 5 are of taggers and a corpus that are not to be had: ours are those of the experiment, by the tagger that
is most like each of the paper's. What follows from the prints themselves is there, too: F from the P and R beside it,
so that these twelve numbers have two rows each. What only counts what the text itself lists (three variants of WPA) or
belongs to a definition (a score lies between 0 and 1) has no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.experiments.papers.acedanski_2010_prints import (
    LIKE,
    N_SEGMENTS,
    QUERY_LOGS,
    STATISTICS,
    TABLES,
    TAKIPI,
    number_of,
)
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber, Relation

if TYPE_CHECKING:
    from karat.measures.positional.tag_pair import TagComparison

TITLE = "Acedański & Przepiórkowski 2010, Towards the Adequate Evaluation of Morphosyntactic Taggers"

NOUN, GERUND = "subst:sg:nom:n", "ger:sg:nom:n:perf:aff"
ACCUSATIVE, NOMINATIVE, VERB = "subst:pl:acc:n", "subst:pl:nom:n", "fin:sg:ter:perf"
OTHER_GERUND = "ger:sg:nom:n:imperf:aff"  # as near to the noun as the first one

_EXPERIMENT = "karat reproduce acedanski-2010 --data DIR"
_NOT_FREE = "the taggers of the IPI PAN Corpus are not to be had as they were"
_HALF = 0.5e-4  # of the last place of a share in the tables
_ROUNDED_TWICE = 0.01  # F from P and R that are rounded to two places, itself rounded to two
_POLIQARP = "poliqarp-2010"
# the weights of section 2.3: part of speech, case, number and gender have 2.0, any other category 0.5
WEIGHT, OTHER_WEIGHT = 2.0, 0.5
HEAVY = ("pos", "case", "number", "gender")


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """All numbers of the paper; only those of Tables 2 to 5 need more than the paper."""
    yield from (one.number() for one in _examples_of_pa())
    yield from _weights_of_wpa()
    yield from (one.number() for one in _examples_of_wpa())
    yield from _quoted_ambiguity()
    yield from _setting()
    yield from _table_1()
    yield from _recall_above_one()
    yield from _folds()
    yield from _quoted_correctness()
    for table in TABLES:
        yield from _table(table, evidence)


# ---- examples: one tag scored for another ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Example:
    """A printed number that follows from a tag and what is right in its place."""

    where: str
    of: str
    printed: str
    number_in: Callable[[TagComparison], float]
    gold: str = NOUN
    system: str = GERUND
    is_weighted: bool = False
    relation: Relation = "equal"

    def number(self) -> PublishedNumber:
        """The printed number beside karat's."""
        import karat
        from karat.weights import Weights

        weights = Weights("example", dict.fromkeys(HEAVY, WEIGHT)) if self.is_weighted else None
        found = karat.compare_tags("nkjp", self.gold, self.system, weights=weights, missing_weight=OTHER_WEIGHT)
        command = f"karat tagset compare nkjp {self.gold} {self.system}" + _WITH_WEIGHTS * self.is_weighted
        return PublishedNumber(
            self.where, self.of, self.printed, "equal", self.number_in(found), "", command, relation=self.relation,
            tolerance=0.0,
        )  # fmt: skip


_OF_WEIGHTS = " ".join(f"'{name} = {WEIGHT}'" for name in HEAVY)
_WITH_WEIGHTS = (
    rf""" --weights <(printf '%s\n' 'schema = "karat/weights/1"' '[weights]' {_OF_WEIGHTS})"""
    f" --missing-weight {OTHER_WEIGHT}"
)


def _examples_of_pa() -> Iterator[_Example]:
    where, what = "Section 2.2", f"{GERUND} for {NOUN}"
    yield _Example(where, f"{what}: positions that agree", "3", _n_right)
    yield _Example(where, f"{what}: precision", "3/6", lambda found: found["PA"].precision)
    yield _Example(where, f"{what}: recall", "3/4", lambda found: found["PA"].recall)
    yield _Example(where, f"{what}: F", "0.6", lambda found: found["PA"].f1)
    yield _Example(where, "the right tag: F", "1.0", lambda found: found["PA"].f1, ACCUSATIVE, ACCUSATIVE)
    yield _Example(where, "a tag of which nothing is right: F", "0.0", lambda found: found["PA"].f1, ACCUSATIVE, VERB)
    for printed, system in (("0", NOMINATIVE), ("1", ACCUSATIVE)):
        of = f"accuracy, all or nothing: {system} for {ACCUSATIVE}"
        yield _Example(where, of, printed, lambda found: found["exact"].f1, ACCUSATIVE, system)


def _n_right(found: TagComparison) -> int:
    return sum(one.right == "yes" for one in found.positions)


def _weights_of_wpa() -> Iterator[PublishedNumber]:
    where = "Section 2.3"
    yield PublishedNumber(where, "weight of part of speech, case, number and gender", "2.0", "given")
    yield PublishedNumber(where, "times the weight of any other category", "4", "given", why="2.0/0.5")
    yield PublishedNumber(where, "weight of any other category", "0.5", "given")


def _examples_of_wpa() -> Iterator[_Example]:
    where, what = "Section 2.3", f"{GERUND} for {NOUN}"
    gold = f"{what}, recall"
    system = f"{what}, precision"
    for of, printed, number_in in (
        (f"{system}: positions of weight 2.0 that agree", "3", lambda found: _n_right_of(found, WEIGHT)),
        (f"{system}: positions of weight 2.0", "4", lambda found: _n_of(found, "system", WEIGHT)),
        (f"{system}: positions of weight 0.5", "2", lambda found: _n_of(found, "system", OTHER_WEIGHT)),
        (system, "2/3", lambda found: found["WPA"].precision),
        (f"{gold}: positions of weight 2.0 that agree", "3", lambda found: _n_right_of(found, WEIGHT)),
        (f"{gold}: positions of weight 2.0", "4", lambda found: _n_of(found, "gold", WEIGHT)),
        (gold, "3/4", lambda found: found["WPA"].recall),
    ):
        yield _Example(where, of, printed, number_in, is_weighted=True)
    of = f"{what}: F, higher than without weights"
    yield _Example(where, of, "more than 0.6", lambda found: found["WPA"].f1, is_weighted=True, relation="above")


def _n_right_of(found: TagComparison, weight: float) -> int:
    return sum(one.right == "yes" and one.weight == weight for one in found.positions)


def _n_of(found: TagComparison, side: str, weight: float) -> int:
    """How many positions a side's tag has of this weight."""
    return sum(bool(getattr(one, side)) and one.weight == weight for one in found.positions)


# ---- what the paper quotes or starts from ----------------------------------------------------------------------------


def _quoted_ambiguity() -> Iterator[PublishedNumber]:
    for tagset, printed, source in (
        ("English, Penn Treebank", "2.32", "Hajič 2004"),
        ("Czech", "3.65", "Hajič & Hladká 1997"),
        ("Polish", "3.32", "Przepiórkowski 2008"),
    ):
        of = f"possible tags per word, {tagset}"
        yield PublishedNumber("Section 2.3.1", of, printed, "given", why=f"quoted from {source}")


def _setting() -> Iterator[PublishedNumber]:
    yield PublishedNumber("Section 2.4", "words that an example of a query asks for", "5", "given")
    of = "segments of the corpus"
    yield PublishedNumber("Section 3", of, f"{N_SEGMENTS:,}", "given", why="the IPI PAN Corpus")
    yield PublishedNumber("Section 3", "taggers", "2", "given")
    yield PublishedNumber("Section 3", "ways to score", "4", "given")


def _table_1() -> Iterator[PublishedNumber]:
    from karat.weights import read_weights

    carried = read_weights(_POLIQARP).absolute
    why = "counted in logs of a corpus search engine; karat has them as weights"
    for name, category, count in QUERY_LOGS:
        command = f"karat weights show {_POLIQARP}"
        of = f"occurrences of {name} in queries"
        yield PublishedNumber("Table 1", of, str(count), "given", carried[category], why, command)


def _folds() -> Iterator[PublishedNumber]:
    for of, printed in (
        ("% of the corpus in training", "90%"),
        ("% of the corpus in the test", "10%"),
        ("folds", "10"),
    ):
        yield PublishedNumber("Section 3.2", of, printed, "given")


def _quoted_correctness() -> Iterator[PublishedNumber]:
    """What others report of TaKIPI; Table 2 is nearer to the first, as the paper says."""
    ours = 100 * TABLES[2][TAKIPI]["WC"]
    for printed, source in (("92.55%", "its authors, 2006"), ("91.30%", "Karwańska & Przepiórkowski 2009")):
        of = f"weak correctness of TaKIPI by {source}"
        why = f"Table 2 has {ours:.2f} %: {abs(ours - float(printed.rstrip('%'))):.2f} points away"
        yield PublishedNumber("Section 3.2", of, printed, "given", why=why)


# ---- several tags ----------------------------------------------------------------------------------------------------


def _recall_above_one() -> Iterator[PublishedNumber]:
    """Footnote 3, with two gerunds for a noun: each scores 0.6."""
    import karat
    from karat.corpus import source_from_bytes
    from karat.measures.positional.options import TagOptions

    gold, system = (rf"w\t{NOUN}\n", rf"w\t{GERUND}\t{OTHER_GERUND}\n")
    command = f"karat score <(printf '{gold}') <(printf '{system}') --tagset nkjp --measure PA"
    files = (source_from_bytes(text.replace(r"\t", "\t").replace(r"\n", "\n").encode()) for text in (gold, system))
    found = karat.score(*files, measures="PA", tags=TagOptions("nkjp"), intervals=False)["PA"]
    where, of = "Footnote 3", "recall by another definition: the scores of the tagger's tags, summed"
    yield PublishedNumber(
        "Section 3.1",
        "recall, at most",
        "1",
        "equal",
        found.recall,
        "an example, the tags of footnote 3; no recall of karat's is above 1",
        command,
        relation="at most",
    )
    why = "one noun, two gerunds"
    yield PublishedNumber(where, "gold tags of the segment", "1", "given", why=why)
    yield PublishedNumber(where, "the tagger's tags of the segment", "2", "given", why=why)
    yield PublishedNumber(where, "score of each of these", "0.6", "given", why="P in the output of the next row")
    above_one = found.precision * found.system / found.gold
    why = f"P in the output, 60 %, times two tags for one; karat's recall, R, is {found.recall:g}"
    yield PublishedNumber(where, of, "1.2", "equal", above_one, why, command, tolerance=0.0)


# ---- Tables 2 to 5 ---------------------------------------------------------------------------------------------------


def _table(table: int, evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    where = f"Table {table}"
    for tagger, row in TABLES[table].items():
        why = f"{_NOT_FREE}; ours: {LIKE[tagger]}, on UD_Polish-PDB in ten folds by document"
        for name in STATISTICS:
            column = "C (here: strong correctness)" if name == "SC" else name
            ours = evidence.number(where, number_of(name, tagger), times=100)
            yield PublishedNumber(
                where, f"{column}, {tagger}", _percent(row[name]), "other data", ours, why, _EXPERIMENT, "training"
            )
        yield _f_of(where, tagger, row)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _f_of(where: str, tagger: str, row: Mapping[str, float]) -> PublishedNumber:
    """F from P and R as they are printed: that of a class of which these are precision and recall.

    P and R are shares of 10,000: with a class that is right P × R times, given wrongly (1 − P) × R times and missed
    P × (1 − R) times, both come out exactly.
    """
    import karat

    whole = 10_000
    precision, recall = (round(whole * row[name]) for name in ("P", "R"))
    right, missed, wrong = precision * recall, precision * (whole - recall), (whole - precision) * recall
    found = karat.confusion_measures({"tag": {"tag": right, "no": missed}, "no": {"tag": wrong, "no": 0}})["tag"]
    matrix = rf"\ttag\tno\ntag\t{right}\t{missed}\nno\t{wrong}\t0\n"
    command = f"karat measures --confusion <(printf '{matrix}')"
    lower, upper = (_f1(*(row[name] + side * _HALF for name in ("P", "R"))) for side in (-1, 1))
    why = f"from P and R, which are rounded: F is from {100 * lower:.3f} to {100 * upper:.3f}"
    of = f"F, {tagger}: from P and R as printed"
    return PublishedNumber(
        where, of, _percent(row["F"]), "equal", 100 * found.f1, why, command, tolerance=_ROUNDED_TWICE
    )  # fmt: skip


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)
