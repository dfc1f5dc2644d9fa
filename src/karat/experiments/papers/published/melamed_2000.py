"""The numbers of Melamed & Resnik 2000: each is what an output gets against a gold annotation (equations 1 and 2).

Figure 1, the tag inventory, is lost. The downward probabilities of section 4 and the rows of Table II leave one tree:
A{A.1{A.1a, A.1b}, A.2}, B{B.1, B.2, B.3}. The probability of a tag given a tag above it is what the second, as output,
gets where the first is right, so that these are scores, too. Section 5 prints no number; its equations are worked for
two annotators who say the same. What only counts what the text itself lists (three generalizations) has no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from karat.experiments.papers.published.numbers import PaperEvidence, PaperFigure, PublishedNumber, TagTree

TITLE = "Melamed & Resnik 2000, Tagger Evaluation Given Hierarchical Tag Sets"

FIGURE_1 = ("A.1a", "A.1b", "A.2", "B.1", "B.2", "B.3")  # its leaves: the dots are its levels
_BELOW = {"A": ("A.1", "A.2"), "A.1": ("A.1a", "A.1b"), "B": ("B.1", "B.2", "B.3")}
# Table I: what each system gives to each sense of "interest"; the second is right
SENSES = ("monetary", "stake", "benefit", "curiosity")
TABLE_1 = (
    ("0.47", "0.42", "0.06", "0.05"),
    ("0.85", "0.05", "0.05", "0.05"),
    ("0.28", "0.24", "0.24", "0.24"),
    ("1.00", "0.00", "0.00", "0.00"),
)

_QUOTED = "made up by Resnik & Yarowsky 1997, as an example"
_REVERSED = "ours: the mean over all such pairs in the tree of Figure 1; none can be above 1"

Answers = Sequence[tuple[str, str]]  # gold tags and the system's, of each instance


@dataclass(frozen=True, slots=True)
class _Score:
    """A printed number that is a score, or the mean of several: of which answers, by which measure, in which tree.

    Unless the print is `rounded`, ours must be the same number: 0.6 is not the 1 that it would round to.
    """

    where: str
    of: str
    printed: str
    answers: Answers
    measure: str = "hierarchical"
    leaves: Sequence[str] = ()
    times: float = 1.0
    why: str = ""
    rounded: bool = False
    worked: str = ""

    def number(self) -> PublishedNumber:
        """The printed number beside karat's score."""
        ours = self.times * score_of(self.answers, self.measure, self.leaves)
        command = _command(self.answers, self.measure, self.leaves)
        tolerance = None if self.rounded else 0.0
        return PublishedNumber(
            self.where, self.of, self.printed, "equal", ours, self.why, command, tolerance=tolerance, worked=self.worked
        )  # fmt: skip


def score_of(answers: Answers, measure: str, leaves: Sequence[str]) -> float:
    """The score of a system's tags for the gold's, in the hierarchy with these leaves or in none."""
    import karat
    from karat.corpus import source_from_bytes
    from karat.hierarchy import hierarchy_from_text

    gold, system = (source_from_bytes("\n".join(_key_lines(tags)).encode()) for tags in zip(*answers, strict=True))
    tree = hierarchy_from_text("\n".join(leaves)) if leaves else None
    return karat.score(gold, system, measures=measure, hierarchy=tree, intervals=False)[measure].value


def _key_lines(tags: Sequence[str]) -> list[str]:
    """The lines of a key file for instances of one word."""
    return [f"w.n w.{number} {one}" for number, one in enumerate(tags, start=1)]


def _command(answers: Answers, measure: str, leaves: Sequence[str]) -> str:
    gold, system = (_as_file(_key_lines(tags)) for tags in zip(*answers, strict=True))
    tree = f" --hierarchy {_as_file(leaves)}" if leaves else ""
    return f"karat score {gold} {system}{tree} --measure {measure}"


def _as_file(lines: Sequence[str]) -> str:
    """A file of these lines, as the shell makes one on the spot."""
    if len(lines) == 1:
        return f"<(echo '{lines[0]}')"
    quoted = (f"'{one}'" if " " in one else one for one in lines)
    return rf"<(printf '%s\n' {' '.join(quoted)})"


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """All numbers of the paper; nothing is needed for them."""
    edges = tuple((parent, child) for parent, children in _BELOW.items() for child in children)
    evidence.figures.append(
        PaperFigure("Figure 1", "Figure 1: the tag inventory that the examples imply", TagTree(edges))
    )
    yield from (one.number() for one in (*_exact_match(), *_exact_match_of_table_1()))
    yield from _cells_of_table_1()
    yield from (one.number() for one in (*_equation_1(), *_several_tags()))
    why = "A to E, below"
    yield PublishedNumber("Section 3.1", "tags that the example's word can have", "5", "given", why=why)
    yield from (one.number() for one in _structured_tags())
    why = "A.1 and A.2"
    yield PublishedNumber("Section 3.3", "sub-senses of A in this example", "two", "given", why=why, worked="2")
    yield from (one.number() for one in (*_downward(), *_table_2()))
    yield from _kappa()


def _exact_match() -> Iterator[_Score]:
    where = "Section 1"
    yield _Score(where, "exact match: the right answer", "scores a point", [("A", "A")], "exact", worked="1")
    of, printed = "exact match: any other answer", "no other answer scores any points"
    yield _Score(where, of, printed, [("A", "B")], "exact", worked="0")


def _output(system: int) -> str:
    """What a system of Table I gives, numbered from 1."""
    return " ".join(f"{sense}/{share}" for sense, share in zip(SENSES, TABLE_1[system - 1], strict=True))


def _exact_match_of_table_1() -> Iterator[_Score]:
    for system in range(1, 5):
        of, answers = f"exact match of system {system} (also section 2)", [("stake", _output(system))]
        yield _Score("Table I", of, "zero credit", answers, "exact", worked="0")


def _cells_of_table_1() -> Iterator[PublishedNumber]:
    yield PublishedNumber("Table I", "systems", "four", "given", why=_QUOTED, worked="4")
    yield PublishedNumber("Table I", "number of the right sense", "(2)", "given", why=_QUOTED)
    for row, sense in enumerate(SENSES):
        for system, column in enumerate(TABLE_1, start=1):
            of = f"probability of ({row + 1}) {sense}, system {system}"
            yield PublishedNumber("Table I", of, column[row], "given", why=_QUOTED)


def _equation_1() -> Iterator[_Score]:
    for system, printed, worked in ((1, "0.42", ""), (4, "zero", "0")):
        of, answers = f"equation 1, system {system} of Table I", [("stake", _output(system))]
        yield _Score("Section 2", of, printed, answers, worked=worked)


def _several_tags() -> Iterator[_Score]:
    where = "Section 3.1"
    for tag, printed in zip("ABCDE", ("0.5", "0.5", "0", "0", "0"), strict=True):
        yield _Score(where, f"probability of {tag} where the output is A and B", printed, [(tag, "A B")])
    of = "probability that system 4 of Table I gives to its one tag"
    yield _Score(where, of, "100 %", [("monetary", _output(4))], times=100)
    for right, score in (("monetary", "1"), ("stake", "0")):
        of = f"if {right} is right: equation 1, system 4 of Table I"
        answers, why = [(right, _output(4))], f"its exact match is {score}, too"
        yield _Score(where, of, "the same score … as from the exact match criterion", answers, why=why, worked=score)


def _structured_tags() -> Iterator[_Score]:
    where = "Section 3.3"
    edges = [(above, below) for above, every in _BELOW.items() for below in every]
    yield _Score(where, "Pr(parent tag | child tag)", "1", edges, leaves=FIGURE_1, why=_REVERSED)
    for tag in ("A.1", "A.2"):
        of = f"Pr({tag} | A), A having the sub-senses A.1 and A.2"
        yield _Score(where, of, "one half", [(tag, "A")], leaves=("A.1", "A.2"), worked="1/2")


def _downward() -> Iterator[_Score]:
    where = "Section 4"
    for below, above, printed in (
        ("A.1", "A", "0.5"),
        ("A.1a", "A.1", "0.5"),
        ("A.1a", "A", "0.25"),
        ("B.2", "B", "1/3"),
    ):
        yield _Score(where, f"Pr({below} | {above})", printed, [(below, above)], leaves=FIGURE_1)
    every = [(above, below) for above, children in _BELOW.items() for below in children]
    every += [("A", below) for below in _BELOW["A.1"]]
    of = "any of these conditional probabilities, reversed"
    yield _Score(where, of, "1", every, leaves=FIGURE_1, why=_REVERSED)
    yield _Score(where, "Pr(A | A.1a)", "1", [("A", "A.1a")], leaves=FIGURE_1)


# gold, output, score as printed; and the terms of those that are worked out: of what, as printed, gold and output
_ROWS: tuple[tuple[str, str, str, tuple[tuple[str, str, str, str], ...]], ...] = (
    ("B", "A", "0", ()),
    ("A", "A", "1", ()),
    ("A", "A.1", "1", ()),
    ("A", "A.1b", "1", ()),
    ("A.1", "A", "0.5", ()),
    ("A.1 A.2", "A", "1", (("Pr(A.1 | A)", "0.5", "A.1", "A"), ("Pr(A.2 | A)", "0.5", "A.2", "A"))),
    ("A.1a", "A", "0.25", ()),
    ("A.1a B.2", "B", "1/3", ()),
    ("A.1a B.2", "A.1", "0.5", ()),
    (
        "A.1a B.2",
        "A.1 B.2",
        "0.75",
        (
            ("the output's share of A.1", "0.5", "A.1", "A.1 B.2"),
            ("Pr(A.1a | A.1)", "0.5", "A.1a", "A.1"),
            ("the output's share of B.2", "0.5", "B.2", "A.1 B.2"),
            ("Pr(B.2 | B.2)", "1", "B.2", "B.2"),
        ),
    ),
    (
        "A.1a B.2",
        "A.1 B",
        "0.4",
        (
            ("the output's share of A.1", "0.5", "A.1", "A.1 B"),
            ("Pr(A.1a | A.1)", "0.5", "A.1a", "A.1"),
            ("the output's share of B", "0.5", "B", "A.1 B"),
            ("Pr(B.2 | B)", "0.333", "B.2", "B"),
        ),
    ),
)
_ROUNDED = {"0.4": "5/12 = 0.41667, printed to one place", "0.333": "1/3"}


def _table_2() -> Iterator[_Score]:
    for gold, output, printed, terms in _ROWS:
        of = f"gold {gold.replace(' ', ' and ')}, output {output.replace(' ', ' and ')}"
        lines = [*((f"{of}: {what}", *term) for what, *term in terms), (of, printed, gold, output)]
        for what, print_, right, given in lines:
            why = _ROUNDED.get(print_, "")
            yield _Score("Table II", what, print_, [(right, given)], leaves=FIGURE_1, why=why, rounded=bool(why))


# ---- agreement -------------------------------------------------------------------------------------------------------

SAME_TAGS = ("A", "B.1")  # of two instances, by either annotator


def _kappa() -> Iterator[PublishedNumber]:
    """Equations 3 to 5 for annotators who give the same tags, one of them no leaf: they do not agree fully.

    Over leaves, A is A.1a and A.1b with 1/4 each and A.2 with 1/2: Σ Pr(l)² of it is 3/8, that of B.1 is 1. Of both
    instances, these leaves have 1/8, 1/8 and 1/4, and B.1 has 1/2.
    """
    observed, kappa, command = _agreement(SAME_TAGS)
    observed_of_a, _, command_of_a = _agreement(SAME_TAGS[:1])
    chance = (observed - kappa) / (1 - kappa)
    said = "both annotators say A of the first instance and B.1 of the second"
    row = partial(PublishedNumber, "Section 5", tolerance=0.0)
    yield row(
        "kappa, equation 3",
        "(Pr(A) − Pr(E))/(1 − Pr(E))",
        ours=kappa,
        why=f"{said}: (11/16 − 11/32)/(1 − 11/32)",
        command=command,
        worked="11/21",
    )
    equation = "1/|T| Σ_t Σ_l Pr(l | annotation_1(t)) · Pr(l | annotation_2(t))"
    yield row(
        "Pr(A), equation 4",
        equation,
        ours=observed,
        why=f"{said}: (3/8 + 1)/2",
        command=command,
        worked="11/16",
    )
    yield row(
        "Pr(A) for A and A, equation 4",
        equation,
        ours=observed_of_a,
        why="1/16 + 1/16 + 1/4: by the equation, those who give the same tag agree fully only if it is a leaf",
        command=command_of_a,
        worked="3/8",
    )
    yield row(
        "Pr(E), equation 5",
        "Σ_l Pr(l)²",
        ours=chance,
        why=f"{said}: 1/64 + 1/64 + 1/16 + 1/4, Pr(l) over both annotators, which the paper leaves open; from "
        "`observed` and `kappa_pooled` in the output",
        command=command,
        worked="11/32",
    )


def _agreement(tags: Sequence[str]) -> tuple[float, float, str]:
    """The observed agreement and kappa of two annotators who give the same tags, and the command that shows them."""
    import karat
    from karat.corpus import source_from_bytes
    from karat.hierarchy import hierarchy_from_text
    from karat.inference.options import InferenceOptions

    lines = _key_lines(tags)
    annotators = {name: source_from_bytes("\n".join(lines).encode()) for name in ("ada", "bix")}
    tree = hierarchy_from_text("\n".join(FIGURE_1))
    found = karat.agree(annotators, hierarchy=tree, inference=InferenceOptions(n_resamples=0))
    observed, kappa = found["observed"], found["kappa_pooled"]
    assert observed is not None
    assert kappa is not None
    file, options = _as_file(lines), f"--hierarchy {_as_file(FIGURE_1)} --resamples 0"
    return observed, kappa, f"karat agree ada={file} bix={file} {options}"
