"""The numbers of Acedański & Przepiórkowski 2010: their examples, their weights, and their tables of taggers.

Only Tables 2 to 5 need more than the paper. The F of each of their lines has two rows, one of them from the P and R
beside it. What only counts what the text itself lists (three variants of WPA) or belongs to a definition (a score lies
between 0 and 1) has no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from karat.experiments.papers.acedanski_2010_prints import N_SEGMENTS, QUERY_LOGS, TABLES
from karat.experiments.papers.published.acedanski_2010_tables import claims, table
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber, Relation

if TYPE_CHECKING:
    from karat.evaluation.results import Parts
    from karat.measures.positional.tag_pair import TagComparison

TITLE = "Acedański & Przepiórkowski 2010, Towards the Adequate Evaluation of Morphosyntactic Taggers"

NOUN, GERUND = "subst:sg:nom:n", "ger:sg:nom:n:perf:aff"
ACCUSATIVE, NOMINATIVE, VERB = "subst:pl:acc:n", "subst:pl:nom:n", "fin:sg:ter:perf"
OTHER_GERUND = "ger:sg:nom:n:imperf:aff"  # as near to the noun as the first one

_POLIQARP = "poliqarp-2010"
# the weights of section 2.3: part of speech, case, number and gender have 2.0, any other category 0.5
WEIGHT, OTHER_WEIGHT = 2.0, 0.5
HEAVY = ("pos", "case", "number", "gender")


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """All numbers of the paper; only those of Tables 2 to 5 need more than the paper."""
    yield from (one.number() for one in (*_examples_of_two_taggers(), *_examples_of_pa()))
    yield from _weights_of_wpa()
    yield from (one.number() for one in _examples_of_wpa())
    yield from _quoted_ambiguity()
    yield from (one.number() for one in _examples_of_cwpa())
    yield from _setting()
    yield from _table_1()
    yield from _scored_metrics()
    yield from _recall_above_one()
    yield from _folds()
    yield from claims()
    for number in TABLES:
        yield from table(number, evidence)


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
    weights: _Weights | None = None
    relation: Relation = "equal"
    why: str = ""
    worked: str = ""

    def number(self) -> PublishedNumber:
        """The printed number beside karat's."""
        import karat
        from karat.weights import Weights

        command, weights, of = f"karat tagset compare nkjp {self.gold} {self.system}", None, self.weights
        if of is not None:
            weights = Weights("example", of.absolute, of.conditional)
            command += of.options
        found = karat.compare_tags("nkjp", self.gold, self.system, weights=weights, missing_weight=OTHER_WEIGHT)
        return PublishedNumber(
            self.where, self.of, self.printed, "equal", self.number_in(found), self.why, command,
            relation=self.relation, tolerance=0.0, worked=self.worked,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Weights:
    """Weights of an example."""

    absolute: Mapping[str, float]
    conditional: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def options(self) -> str:
        """The options that give the weights to a command."""
        lines = ['schema = "karat/weights/1"', *_lines("weights", self.absolute)]
        for pos, weights in self.conditional.items():
            lines += _lines(f"conditional.{pos}", weights)
        quoted = " ".join(f"'{one}'" for one in lines)
        return rf" --weights <(printf '%s\n' {quoted}) --missing-weight {OTHER_WEIGHT}"


def _lines(name: str, weights: Mapping[str, float]) -> Iterator[str]:
    """A part of a file of weights."""
    if weights:
        yield f"[{name}]"
        yield from (f"{category} = {weight}" for category, weight in weights.items())


_WEIGHTED = _Weights(dict.fromkeys(HEAVY, WEIGHT))
# weights of our own for section 2.4, where the paper has letters
CONDITIONAL = _Weights(
    {},
    {
        "ger": {"pos": 2.0, "number": 1.0, "case": 1.0, "gender": 0.5, "aspect": 0.5, "negation": 0.5},
        "subst": {"pos": 4.0, "number": 1.0, "case": 2.0, "gender": 1.0},
    },
)


def _examples_of_two_taggers() -> Iterator[_Example]:
    """Two wrong tags that are the same for accuracy of full tags; one of them has the part of speech right."""
    where = "Section 2.1"
    for tagger, system in (("T1", VERB), ("T2", NOMINATIVE)):
        of = f"{tagger}: accuracy of full tags, {system} for {ACCUSATIVE}"
        yield _Example(where, of, "equally well", lambda found: found["exact"].f1, ACCUSATIVE, system, worked="0")
    of = f"T2, above T1: accuracy of parts of speech, {NOMINATIVE} for {ACCUSATIVE}"
    yield _Example(
        where, of, "T2 … better", lambda found: found["pos"].f1, ACCUSATIVE, NOMINATIVE, relation="above",
        why=f"that of T1, {VERB}, is 0", worked="0",
    )  # fmt: skip


def _examples_of_pa() -> Iterator[_Example]:
    where, what = "Section 2.2", f"{GERUND} for {NOUN}"
    yield _Example(where, f"{what}: positions that agree", "3", _n_right)
    yield _Example(where, f"{what}: precision", "3/6", lambda found: found["PA"].precision)
    yield _Example(where, f"{what}: recall", "3/4", lambda found: found["PA"].recall)
    yield _Example(where, f"{what}: F", "0.6", lambda found: found["PA"].f1)
    yield _Example(where, "the right tag: F", "1.0", lambda found: found["PA"].f1, ACCUSATIVE, ACCUSATIVE)
    yield _Example(where, "a tag of which nothing is right: F", "0.0", lambda found: found["PA"].f1, ACCUSATIVE, VERB)
    for of, printed, system in (("a wrong tag", "0", NOMINATIVE), ("the right tag", "1", ACCUSATIVE)):
        of, why = f"{of}: accuracy, all or nothing", f"for example {system} for {ACCUSATIVE}, tags of section 2.1"
        yield _Example(where, of, printed, lambda found: found["exact"].f1, ACCUSATIVE, system, why=why)


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
        yield _Example(where, of, printed, number_in, weights=_WEIGHTED)
    of, why = f"{what}: F, above that without weights", "that is 0.6 (section 2.2)"
    yield _Example(
        where, of, "a higher F-measure", lambda found: found["WPA"].f1, weights=_WEIGHTED, relation="above", why=why,
        worked="0.6",
    )  # fmt: skip


def _examples_of_cwpa() -> Iterator[_Example]:
    """The simplified formulas of section 2.4, worked for weights of our own."""
    where, what = "Section 2.4", f"{GERUND} for {NOUN}"
    formula = "Σ_{{c∈{{n,c,g}}}} w(c|{0})/(w({0}) + Σ_{{c∈{{{1}}}}} w(c|{0}))"
    precision, recall = formula.format("ger", "n,c,g,a,neg"), formula.format("subst", "n,c,g")
    why = "for w(ger) = 2 and its other weights 1, 1, 0.5, 0.5, 0.5: 2.5/5.5"
    yield _Example(
        where, f"{what}, CWPA: precision", precision, lambda found: found["CWPA"].precision, weights=CONDITIONAL,
        why=why, worked="5/11",
    )  # fmt: skip
    why = "for w(subst) = 4 and its other weights 1, 2, 1: 4/8"
    yield _Example(
        where, f"{what}, CWPA: recall", recall, lambda found: found["CWPA"].recall, weights=CONDITIONAL, why=why,
        worked="1/2",
    )  # fmt: skip


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
    printed = f"{N_SEGMENTS:,}".replace(",", " ")
    yield PublishedNumber("Section 3", of, printed, "given", why="the IPI PAN Corpus", worked=f"{N_SEGMENTS}")
    yield PublishedNumber("Section 3", "taggers", "two", "given", worked="2")
    yield PublishedNumber("Section 3", "ways to score", "four", "given", worked="4")


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


# ---- several tags ----------------------------------------------------------------------------------------------------


def _scored(gold: tuple[str, ...], system: tuple[str, ...]) -> tuple[Parts, Mapping[str, float | None], str]:
    """How one word with these tags is scored by PA, and the command that scores it."""
    import karat
    from karat.corpus import source_from_bytes
    from karat.measures.positional.options import TagOptions

    lines = [r"\t".join(["w", *tags]) + r"\n" for tags in (gold, system)]
    command = f"karat score <(printf '{lines[0]}') <(printf '{lines[1]}') --tagset nkjp --measure PA"
    files = (source_from_bytes(text.replace(r"\t", "\t").replace(r"\n", "\n").encode()) for text in lines)
    found = karat.score(*files, measures="PA", tags=TagOptions("nkjp"), intervals=False)["PA"]
    assert found.parts is not None
    return found.parts, found.extras, command


def _scored_metrics() -> Iterator[PublishedNumber]:
    """The formulas of section 3.1, worked for a noun that is tagged as noun and as gerund: scores of 1 and 0.6."""
    parts, correctness, command = _scored((NOUN,), (NOUN, GERUND))
    why = "a noun, tagged as noun and gerund, with scores 1 and 0.6 as in section 2.2"
    for of, formula, worked, how, ours in (
        ("P", "Σ_i Σ_{t∈T_i} score(t, G_i)/Σ_i |T_i|", "0.8", "(1 + 0.6)/2", parts.precision),
        ("R", "Σ_i Σ_{g∈G_i} score(g, T_i)/Σ_i |G_i|", "1", "1/1", parts.recall),
        ("F", "2 · P · R/(P + R)", "8/9", "2 · 0.8/1.8", parts.f1),
        ("WC", "Σ_i max_{t∈T_i} score(t, G_i)/n", "1", "max{1, 0.6}", correctness["weak_correctness"]),
        ("SC", "Σ_i min({score(t, G_i): t∈T_i} ∪ {score(g, T_i): g∈G_i})/n", "0.6", "min{1, 0.6, 1}",
         correctness["strong_correctness"]),
    ):  # fmt: skip
        yield PublishedNumber(
            "Section 3.1", f"{of}, scored", formula, "equal", ours, f"{why}: {how}", command, tolerance=0.0,
            worked=worked,
        )  # fmt: skip


def _recall_above_one() -> Iterator[PublishedNumber]:
    """Footnote 3, with two gerunds for a noun: each scores 0.6."""
    parts, _, command = _scored((NOUN,), (GERUND, OTHER_GERUND))
    where, of = "Footnote 3", "recall by another definition: the scores of the tagger's tags, summed"
    yield PublishedNumber(
        "Section 3.1",
        "recall, at most",
        "never greater than one",
        "equal",
        parts.recall,
        "an example, the tags of footnote 3; no recall of karat's is above 1",
        command,
        relation="at most",
        worked="1",
    )
    why = "one noun, two gerunds"
    yield PublishedNumber(where, "gold tags of the segment", "a single", "given", why=why, worked="1")
    yield PublishedNumber(where, "the tagger's tags of the segment", "two", "given", why=why, worked="2")
    yield PublishedNumber(where, "score of each of these", "0.6", "given", why="P in the output of the next row")
    above_one = parts.precision * parts.system / parts.gold
    why = f"P in the output, 60 %, times two tags for one; karat's recall, R, is {parts.recall:g}"
    yield PublishedNumber(where, of, "1.2", "equal", above_one, why, command, tolerance=0.0)
