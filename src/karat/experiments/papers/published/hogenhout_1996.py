"""Every number of Hogenhout & Matsumoto 1996: its worked example, its tables, and what its test is worth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes
from karat.evaluation.score import score
from karat.experiments.papers import hogenhout_1996_prints as prints
from karat.experiments.papers.published.hogenhout_1996_section_6 import PAIRED, PAIRED_COMMAND, section_6
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber, Status
from karat.inference.options import InferenceOptions
from karat.measures.brackets.twelve_measures import parser_measures

if TYPE_CHECKING:
    from karat.measures.brackets.options import BracketOptions

TITLE = "Hogenhout & Matsumoto 1996, Towards a More Careful Evaluation of Broad Coverage Parsing Systems"

# The example of section 3 and the chain of errors of section 2, with other words
_GOLD = (
    "(X (W a) (X (W b) (W c) (X (W d) (W e))))",
    "(X (X (W a) (W b)) (X (W c) (X (W d) (W e) (W f))))",
)
_PARSER = (
    "(X (W a) (X (W b) (X (W c) (X (W d) (W e)))))",
    "(X (W a) (X (X (W b) (W c)) (X (W d) (X (W e) (W f)))))",
)
_CHAIN_GOLD = "(X (X (W a) (W b)) (X (X (W c) (W d) (W e) (W f)) (X (W g) (W h) (W i))))"
_CHAIN_PARSER = "(X (X (W a) (W b)) (X (W c) (X (W d) (X (W e) (W f) (W g) (W h) (W i)))))"

_ITEMS = {system: {name: both[n] for name, both in prints.ITEMS.items()} for n, system in enumerate(prints.SYSTEMS)}
_EXPERIMENT = "karat reproduce hogenhout-1996 --data DIR"
_OURS = "the EDR corpus is not free; ours: karat's parsers on 600 sentences of GUM"


def published(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """The numbers in the order of the paper."""
    yield from _section_2()
    yield from _worked_example()
    why = "of the EDR corpus, which is not free"
    yield PublishedNumber("Section 4", "sentences", "600", "given", why=why)
    of, why = "person-hours", "people's time for the check of both parsers, on the EDR corpus"
    yield PublishedNumber("Section 4", of, "about three", "not runnable", why=why, worked="3")
    yield from _table_1(evidence)
    yield from _table_2(evidence)
    yield from _table_3()
    yield from _table_4()
    yield from _section_5()
    yield from section_6()


# ---- examples --------------------------------------------------------------------------------------------------------


def _items(gold: Sequence[str], parser: Sequence[str], brackets: BracketOptions | None = None) -> Mapping[str, float]:
    """The items of bracketed sentences."""
    texts = ("\n".join([*lines, ""]).encode() for lines in (gold, parser))
    first, second = (brackets_from_source(source_from_bytes(one, name)) for one, name in zip(texts, "gp", strict=True))
    inference = InferenceOptions(n_resamples=0)
    (found,) = score(first, {"parser": second}, brackets=brackets, inference=inference).systems
    assert found.brackets is not None
    return found.brackets.items


def _scored(gold: Sequence[str], parser: Sequence[str]) -> str:
    """The command that counts the items of bracketed sentences."""
    files = (f"<(printf '%s\\n' {' '.join(repr(one) for one in lines)})" for lines in (gold, parser))
    return f"karat score {' '.join(files)} --resamples 0 --json"


def _section_2() -> Iterator[PublishedNumber]:
    why = "scores made up to ask what a difference means"
    for of, printed in (("one parser", "81.2 %"), ("another parser", "82.5 %")):
        yield PublishedNumber("Section 2", of, printed, "given", why=why)
    sentences = [_CHAIN_GOLD], [_CHAIN_PARSER]
    ours = _items(*sentences)["CE"]
    why = "crossing errors from one wrong attachment; brackets like those described"
    row = partial(PublishedNumber, "Section 2", "CE of one mistake", "two", worked="2")
    yield row(ours=ours, why=why, command=_scored(*sentences))


def _worked_example() -> Iterator[PublishedNumber]:
    """The items of two sentences; EM, CE and SP also sentence by sentence, where the paper does that."""
    yield PublishedNumber("Section 3", "sentences, example", f"{len(_GOLD)}", "given", why="the example's brackets")
    of_each = [([gold], [parser]) for gold, parser in zip(_GOLD, _PARSER, strict=True)]
    row = partial(PublishedNumber, "Section 3")
    whole, command = _items(_GOLD, _PARSER), _scored(_GOLD, _PARSER)
    for item, printed in prints.EXAMPLE.items():
        for number, part in enumerate(prints.EXAMPLE_SENTENCES.get(item, ())):
            if part is not None:
                ours, of = _items(*of_each[number])[item], f"{item}, sentence {number + 1}"
                worked = "" if part.isdigit() else f"{printed}"
                yield row(of, part, ours=ours, command=_scored(*of_each[number]), worked=worked)
        if item not in _OF_LITERAL:
            yield row(f"{item}, example", f"{printed}", ours=whole[item], command=command)
    yield from _inherited_brackets()
    why = "if exact matches are not checked; so Table 1"
    yield row("EMR without a check", "0", "given", why=why)


_OF_LITERAL = ("TINH", "TNINH")


def _inherited_brackets() -> Iterator[PublishedNumber]:
    """TINH and TNINH, which do not follow from their definition as it is printed, only from another."""
    from karat.measures.brackets.options import BracketOptions

    row, command = partial(PublishedNumber, "Section 3"), _scored(_GOLD, _PARSER)
    whole, literal = _items(_GOLD, _PARSER), _items(_GOLD, _PARSER, BracketOptions(inheritance="literal"))
    for item in _OF_LITERAL:
        of, printed = f"{item}, example", f"{prints.EXAMPLE[item]}"
        why = "karat's default, taken from this example"
        yield row(f"{of} (the whole sentence's bracket no parent)", printed, ours=whole[item], why=why, command=command)
        why = "the bracket of the whole sentence is a direct parent, too; the example does not count it as one"
        of, command_literal = f"{item}, by the definition as printed", f"{command} --inheritance literal"
        yield row(of, printed, "misprint", literal[item], why, command_literal)


# ---- Tables 1 to 4 ---------------------------------------------------------------------------------------------------


def _measured(system: str) -> tuple[dict[str, float], str]:
    """The twelve measures of the paper's A or B, from Table 1, and the command that computes them."""
    values = parser_measures(_ITEMS[system]).values
    command = f"karat measures <(echo '{json.dumps(_ITEMS[system])}') --json"
    return {name: value for name, value in values.items() if value is not None}, command


def _table_1(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """Counts, of other data; and the shares behind them, which the measures give."""
    for item in prints.ITEMS:
        for place, system in enumerate(prints.SYSTEMS):
            yield _count(evidence, item, system)
            if item in prints.ITEM_SHARES:
                of_measures, command = _measured(system)
                share, why = _share_of_tpb(item, of_measures)
                printed = f"{prints.ITEM_SHARES[item][place]} %"
                of = f"{system}: {item}, % of TPB"
                yield PublishedNumber("Table 1", of, printed, ours=100 * share, why=why, command=command)


def _count(evidence: PaperEvidence, item: str, system: str) -> PublishedNumber:
    of, printed = f"{system}: {item}", f"{_ITEMS[system][item]}"
    if item == "EMR":
        why = "section 3: exact matches are not checked"
        return PublishedNumber("Table 1", of, f"{printed} (assumed)", "given", why=why)
    why = f"{_OURS}, trained on trees bracketed as those of the test are"
    if item in ("CEA", "CER", "SPA", "SPR"):
        why = f"{_OURS}, trained on trees in another style of bracketing, which also says what is acceptable"
    return PublishedNumber(
        "Table 1",
        of,
        printed,
        "other data",
        evidence.number("Table 1", f"{item}, {system}"),
        why,
        _EXPERIMENT,
        "training",
    )


def _share_of_tpb(item: str, of: Mapping[str, float]) -> tuple[float, str]:
    """An item's share of the parser's brackets from the measures, and how."""
    rejected = of["Spuriousness"] * of["Spurious Reject"]
    return {
        "EMA": (of["Precision-hard"], "EMA/TPB: Precision-hard"),
        "CEA": (of["Problem Rate"] - rejected, "CEA/TPB: Problem Rate − Spuriousness × Spurious Reject, as EMR = 0"),
        "CER": (
            1 - of["Precision-soft"] - rejected,
            "CER/TPB: 1 − Precision-soft − Spuriousness × Spurious Reject, as EMR = 0",
        ),
        "SPA": (of["Spuriousness"] - rejected, "SPA/TPB: Spuriousness × (1 − Spurious Reject)"),
        "SPR": (rejected, "SPR/TPB: Spuriousness × Spurious Reject"),
    }[item]


def _table_2(evidence: PaperEvidence) -> Iterator[PublishedNumber]:
    """Brackets that both, one or none of A and B has; shares from the recalls and the oracle of both."""
    a, b, oracle = PAIRED.a, PAIRED.b, PAIRED.oracle
    shares = {
        "YY": (a + b - oracle, "YY/11,400: `value_a` + `value_b` − `oracle` in the output"),
        "YN": (oracle - b, "YN/11,400: `oracle` − `value_b` in the output"),
        "NY": (oracle - a, "343/11,400: `oracle` − `value_a` in the output"),
        "NN": (1 - oracle, "NN/11,400: 1 − `oracle` in the output"),
    }
    for name, printed in prints.PAIRED.items():
        ours = evidence.number("Table 2", name)
        yield PublishedNumber("Table 2", name, f"{printed}", "other data", ours, _OURS, _EXPERIMENT, "training")
        share, why = shares[name]
        status: Status = "misprint" if name == "NY" else "equal"
        of, text = f"{name}, % of TTB", f"{prints.PAIRED_SHARES[name]} %"
        yield PublishedNumber("Table 2", of, text, status, 100 * share, why, PAIRED_COMMAND)
        if name == "NY":
            yield _ny_of_table_1()


def _ny_of_table_1() -> PublishedNumber:
    """NY as it would have to be by Table 1, which YY + NY contradicts."""
    of_measures, command = _measured("B")
    exact = of_measures["Recall-hard"] * _ITEMS["B"]["TTB"]
    return PublishedNumber(
        "Table 2",
        "NY, by B's EMA",
        f"{prints.PAIRED['NY']}",
        "misprint",
        exact - prints.PAIRED["YY"],
        "EMA − YY = 6858 − 6516 (Recall-hard in the output × 11,400), but YY + NY is 6859. EMA in Table 1, what TPB "
        "leaves for it, and TINH + TNINH are all 6858; with NY 342 and NN 4310 the sums of Table 2 are right as well",
        command,
    )


def _table_3() -> Iterator[PublishedNumber]:
    """The formulas of the measures, worked for A's counts of Table 1."""
    values, command = _measured("A")
    for name, parts in prints.FORMULAS.items():
        above, below = (sum(_ITEMS["A"][item] for item in part.split("+")) for part in parts)
        formula = "/".join(f"({part})" if "+" in part else part for part in parts)
        why, worked = "with A's items of Table 1", f"{above}/{below}"
        yield PublishedNumber("Table 3", name, formula, ours=values[name], why=why, command=command, worked=worked)


def _table_4() -> Iterator[PublishedNumber]:
    """The twelve measures of both."""
    of_both = {system: _measured(system) for system in prints.SYSTEMS}
    for name, printed in prints.MEASURES.items():
        for place, (system, (values, command)) in enumerate(of_both.items()):
            text, ours = f"{100 * printed[place]:.1f} %", 100 * values[name]
            of = f"{system}: {name}"
            if name in prints.MISPRINTED:
                why = (
                    "its definition is TPB/TTB; the prints of both parsers would need some 12,130 treebank brackets, "
                    "perhaps the count before preparation"
                )
                yield PublishedNumber("Table 4", of, text, "misprint", ours, why, command)
            else:
                yield PublishedNumber("Table 4", of, text, ours=ours, command=command)


def _section_5() -> Iterator[PublishedNumber]:
    """What the text says of Table 4."""
    (of_a, _), (of_b, command) = (_measured(system) for system in prints.SYSTEMS)
    row = partial(PublishedNumber, "Section 5", command=command)
    for name, of, printed in (
        ("Precision-soft", "B's Precision-soft, %", "B scores better"),
        ("Recall-hard", "B's Recall-hard, %", "B is better at recall"),
        ("Spuriousness", "B's Spuriousness, %", "generates more spurious brackets"),
    ):
        by_a = f"{100 * prints.MEASURES[name][0]:.1f}"
        yield row(of, printed, ours=100 * of_b[name], why=f"A has {by_a}", relation="above", worked=by_a)
    yield row(
        "False Error of both",
        "almost 1 out of 4",
        ours=of_b["False Error"],
        why=f"crossing errors that are not really wrong; ours: B's, A's is {of_a['False Error']:.3f}",
        relation="about",
        tolerance=0.025,
        worked="1/4",
    )
