"""The check by people [Hogenhout & Matsumoto 1996, §3]: what is listed, what verdicts say, bounds, samples, mistakes.

The reference counts one bracket at a time, and tries every way to decide what nobody decided.
"""

from __future__ import annotations

import gzip
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bracket_reference as reference
from karat import DataError, UsageError, bracket_worklist, score
from karat.corpus import source_from_bytes
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.worklist import Worklist, WorklistRow, keep_verdicts, read_worklist, write_worklist
from karat.errors import Problem
from karat.evaluation.results import Scores, SystemScores
from karat.inference.options import InferenceOptions
from karat.measures.brackets.human_check import VERDICTS, BracketCheck, worklist_of_checks
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.brackets.twelve_measures import JUDGED_ITEMS, PARSER_MEASURES, parser_measures
from tree_corruptions import corrupted_tree

PUNCTUATION = {",", ".", ":", "``", "''", "-NONE-"}
TABLE_3 = {
    "Generation Rate": "TPB/TTB",
    "Recall-hard": "EMA/TTB",
    "Recall-soft": "(EMA+CEA+SPA)/TTB",
    "Precision-hard": "EMA/TPB",
    "Precision-soft": "(EMA+CEA+SPA)/TPB",
    "Spuriousness": "(SPA+SPR)/TPB",
    "Spurious Reject": "SPR/(SPA+SPR)",
    "False Error": "CEA/(CEA+CER)",
    "Test Noise": "(EMR+CEA+SPA+SPR)/TPB",
    "Problem Rate": "(EMR+CEA+SPR)/TPB",
    "P-inheritance": "PINH/(PINH+PNINH)",
    "T-inheritance": "TINH/(TINH+TNINH)",
}
_FORMULAS = {name: compile(formula, name, "eval") for name, formula in TABLE_3.items()}

Bounds = tuple[float, float] | None


# ---- the reference ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A bracket of a system: the words `start` to `end` of a sentence, from 1, with punctuation and without traces."""

    system: str
    sentence: str
    start: int
    end: int
    label: str
    item: str

    @property
    def key(self) -> tuple[str, str, int, int, str]:
        return self.system, self.sentence, self.start, self.end, self.label


def leaves(node: reference.RefNode) -> list[reference.RefNode]:
    return [node] if node.form is not None else [leaf for child in node.children for leaf in leaves(child)]


def seen(name: str, golds: Sequence[str], systems: Sequence[str], *, labelled: bool, label: str) -> Iterator[Seen]:
    """The brackets of a system that count: each held against the gold's on its own."""
    for number, (gold, system) in enumerate(zip(golds, systems, strict=True), start=1):
        words, ours = reference.prepared_spans(reference.tree(gold), PUNCTUATION, labelled=labelled)
        _, theirs = reference.prepared_spans(reference.tree(system), PUNCTUATION, labelled=labelled)
        shown = [leaf for leaf in leaves(reference.tree(gold)) if leaf.label != "-NONE-"]
        numbers = [place for place, leaf in enumerate(shown, start=1) if leaf.label not in PUNCTUATION]
        for one in theirs:
            if label and not fnmatchcase(one.label, label):
                continue
            alone = reference.items(ours, [replace(one, parent=None)], len(words), labelled=labelled)
            item = next(item for item in ("EM", "CE", "SP") if alone[item])
            start, end = numbers[one.start], numbers[one.stop - 1]
            yield Seen(name, str(number), start, end, one.label if labelled else "", item)


def counted(golds: Sequence[str], systems: Sequence[str], *, labelled: bool) -> Counter[str]:
    """The nine items that need no verdicts."""
    found: Counter[str] = Counter()
    for gold, system in zip(golds, systems, strict=True):
        words, ours = reference.prepared_spans(reference.tree(gold), PUNCTUATION, labelled=labelled)
        _, theirs = reference.prepared_spans(reference.tree(system), PUNCTUATION, labelled=labelled)
        found += Counter(reference.items(ours, theirs, len(words), labelled=labelled))
    return found


def bounds(
    items: Mapping[str, int], brackets: Sequence[Seen], verdicts: Mapping[tuple[str, str, int, int, str], str]
) -> dict[str, Bounds]:
    """The least and the most of items and measures over all ways to decide what has no verdict or no row."""
    has_exact = any(one.item == "EM" and one.key in verdicts for one in brackets)
    settled: Counter[str] = Counter()
    undecided = []
    for one in brackets:
        verdict = verdicts.get(one.key, "") if has_exact or one.item != "EM" else "accept"
        if verdict:
            settled[one.item + verdict[0].upper()] += 1
        else:
            undecided.append(one.item)
    found: dict[str, set[float | None]] = {}
    for way in product("AR", repeat=len(undecided)):
        n = settled + Counter(item + end for item, end in zip(undecided, way, strict=True))
        every = {**items, **{name: n[name] for name in JUDGED_ITEMS}}
        for name, value in {**every, **measured(every)}.items():
            found.setdefault(name, set()).add(value)
    return {name: _ends(values) for name, values in found.items()}


def _ends(values: set[float | None]) -> Bounds:
    numbers = [value for value in values if value is not None]
    return (min(numbers), max(numbers)) if numbers else None


def measured(items: Mapping[str, float]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name, formula in _FORMULAS.items():
        try:
            found[name] = eval(formula, {}, dict(items))
        except ZeroDivisionError:
            found[name] = None
    return found


# ---- the code under test, called -------------------------------------------------------------------------------------


class Desk:
    """A gold and systems in files, the worklist that is made of them, and what its verdicts give."""

    def __init__(self, folder: Path, gold: Sequence[str], **systems: Sequence[str]) -> None:
        self.folder, self.path = folder, folder / "check.tsv"
        self.gold = self._file("gold", gold)
        self.systems = {name: self._file(f"system-{name}", trees) for name, trees in systems.items()}

    def _file(self, name: str, trees: Sequence[str]) -> Path:
        path = self.folder / f"{name}.ptb"
        path.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
        return path

    def score(self, *, intervals: bool = False, **options: Any) -> Scores:
        return score(self.gold, dict(self.systems), intervals=intervals, **options)

    def write(self, path: Path, **options: Any) -> None:
        """As the command line writes a worklist."""
        worklist = bracket_worklist(self.gold, dict(self.systems), **options)
        keep_verdicts(path, VERDICTS)
        write_worklist(path, worklist)

    def worklist(self, **options: Any) -> Worklist:
        self.path.unlink(missing_ok=True)
        self.write(self.path, **options)
        return read_worklist(self.path, kinds=VERDICTS)

    def judged(self, worklist: Worklist, **options: Any) -> dict[str, SystemScores]:
        write_worklist(self.path, worklist)
        return {system.name: system for system in self.score(judgements=self.path, **options).systems}

    def problems(self, worklist: Worklist, **options: Any) -> list[Problem]:
        with pytest.raises(DataError) as caught:
            self.judged(worklist, **options)
        return list(caught.value.problems)


Decide = Callable[[WorklistRow], str | None]


def decided(worklist: Worklist, decide: Decide) -> Worklist:
    """The list with verdicts; a row for which there is None is taken out."""
    verdicts = [(row, decide(row)) for row in worklist.rows]
    return replace(worklist, rows=tuple(replace(row, verdict=one) for row, one in verdicts if one is not None))


def item_of(row: WorklistRow) -> str:
    return row.shown[:2]


def found_in(system: SystemScores) -> dict[str, Bounds]:
    """What karat says of all items and of the measures of Table 3: ends, which are the same where it is sure."""
    details = system.brackets
    assert details is not None
    assert not set(details.items) & set(details.open_items)
    assert not set(system.measures) & set(details.bounded)
    found: dict[str, Bounds] = {name: (n, n) for name, n in details.items.items()}
    found |= details.open_items
    found |= {name: (one.value, one.value) for name, one in system.measures.items() if name in TABLE_3}
    found |= {name: (one.least, one.most) for name, one in details.bounded.items()}
    return found | dict.fromkeys(name for name in details.undefined if name in TABLE_3)


def assert_same(found: Mapping[str, Bounds], expected: Mapping[str, Bounds]) -> None:
    assert set(found) == set(expected)
    for name, ends in expected.items():
        assert found[name] == (None if ends is None else pytest.approx(ends, abs=1e-12)), name


def in_letters(notation: str) -> str:
    """A tree from the paper's notation, `[He [walks to [the house]]]`."""
    spaced = notation.replace("[", " [ ").replace("]", " ] ").split()
    return " ".join({"[": "(X", "]": ")"}.get(token, f"(W {token})") for token in spaced)


PAPER_GOLD = [in_letters("[He [walks to [the house]]]"), in_letters("[[The president] [gave [a long speech]]]")]
PAPER_SYSTEM = [in_letters("[He [walks [to [the house]]]]"), in_letters("[The [[president gave] [a [long speech]]]]")]


def random_tree(rng: random.Random, words: Sequence[str]) -> str:
    """A bracket over words, with brackets around one word and doubled ones among its own."""
    if len(words) == 1 and rng.random() < 0.8:
        return words[0]
    cuts = sorted(rng.sample(range(1, len(words)), rng.randint(0, min(2, len(words) - 1))))
    parts = [words[start:stop] for start, stop in pairwise([0, *cuts, len(words)])]
    return f"({rng.choice(['A', 'B', 'BC'])} {' '.join(random_tree(rng, part) for part in parts)})"


def random_trees(rng: random.Random, n_systems: int) -> tuple[list[str], dict[str, list[str]]]:
    """Some gold trees, with punctuation and traces, and parses of each, without traces."""
    golds: list[str] = []
    systems: dict[str, list[str]] = {f"s{number}": [] for number in range(n_systems)}
    for _ in range(rng.randint(1, 4)):
        tags = rng.choices(["W", ",", "-NONE-"], (6, 1, 1), k=rng.randint(2, 8))
        words = [f"({tag} {'*' if tag == '-NONE-' else f'w{place}'})" for place, tag in enumerate(tags)]
        parsed = [word for word in words if not word.startswith("(-NONE-")]
        if not parsed:
            continue
        golds.append(f"(TOP {random_tree(rng, words)})")
        for parses in systems.values():
            parses.append(f"(TOP {random_tree(rng, parsed)})")
    return golds or ["(TOP (A (W a) (W b)))"], {
        name: parses or ["(TOP (A (W a) (W b)))"] for name, parses in systems.items()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


def label_in(row: WorklistRow, options: BracketOptions) -> str:
    return row.id.rpartition("/")[2] if options.compares_labels else ""


# ---- the paper's example, by hand ------------------------------------------------------------------------------------


def test_the_paper_s_example_with_verdicts_adds_up_by_hand(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    assert [(row.sent_id, row.start, row.end, item_of(row)) for row in listed.rows] == [
        ("1", 3, 5, "SP"),  # [to the house]
        ("2", 2, 6, "CE"),  # [president gave a long speech]
        ("2", 2, 3, "CE"),  # [president gave]
        ("2", 5, 6, "SP"),  # [long speech]
    ]
    accepted = {"p/1/3-5", "p/2/5-6", "p/2/2-6"}
    system = desk.judged(decided(listed, lambda row: "accept" if row.id in accepted else "reject"))["p"]
    assert system.brackets is not None
    assert dict(system.brackets.items) == {
        "TTB": 7, "TPB": 9, "EM": 5, "CE": 2, "SP": 2, "PINH": 1, "PNINH": 1, "TINH": 1, "TNINH": 4,
        "EMA": 5, "EMR": 0, "CEA": 1, "CER": 1, "SPA": 2, "SPR": 0,
    }  # fmt: skip
    by_hand = {
        "Generation Rate": 9 / 7,
        "Recall-hard": 5 / 7,
        "Recall-soft": (5 + 1 + 2) / 7,
        "Precision-hard": 5 / 9,
        "Precision-soft": (5 + 1 + 2) / 9,
        "Spuriousness": 2 / 9,
        "Spurious Reject": 0 / 2,
        "False Error": 1 / 2,
        "Test Noise": (0 + 1 + 2 + 0) / 9,
        "Problem Rate": (0 + 1 + 0) / 9,
        "P-inheritance": 1 / 2,
        "T-inheritance": 1 / 5,
    }
    assert {name: system.measures[name].value for name in TABLE_3} == pytest.approx(by_hand)


def test_rejected_exact_matches_lower_hard_recall(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist(include_exact=True)
    assert Counter(map(item_of, listed.rows)) == {"EM": 5, "CE": 2, "SP": 2}
    wrong = {"p/1/4-5", "p/2/4-6", "p/2/5-6"}
    system = desk.judged(decided(listed, lambda row: "reject" if row.id in wrong else "accept"))["p"]
    assert system.brackets is not None
    items = system.brackets.items
    assert [items[name] for name in JUDGED_ITEMS] == [3, 2, 2, 0, 1, 1]
    assert system.measures["Recall-hard"].value == pytest.approx(3 / 7)
    assert system.measures["Precision-soft"].value == pytest.approx((3 + 2 + 1) / 9)
    assert system.measures["Test Noise"].value == pytest.approx((2 + 2 + 1 + 1) / 9)
    assert system.measures["Problem Rate"].value == pytest.approx((2 + 2 + 1) / 9)


def test_table_3_is_the_code_s() -> None:
    assert {one.name: one.calculation for one in PARSER_MEASURES} == TABLE_3 | {"Spuriousness": "SP/TPB"}


# ---- random trees and verdicts ---------------------------------------------------------------------------------------

MODES = [
    BracketOptions(),
    BracketOptions(labelled=True),
    BracketOptions(label="A"),
    BracketOptions(label="B*"),
]


def expected_rows(brackets: Mapping[str, Sequence[Seen]], *, exact: bool, same_style: bool) -> set[Seen]:
    """What people should judge: each bracket of each system, or each once for all."""
    return {
        replace(one, system="*") if same_style else one
        for ones in brackets.values()
        for one in ones
        if exact or one.item != "EM"
    }


@settings(max_examples=150)
@given(st.integers(0, 10**9), st.sampled_from(MODES), st.booleans(), st.booleans(), st.integers(1, 2))
def test_random_verdicts_give_the_reference_s_items_and_bounds(
    folder: Path, seed: int, options: BracketOptions, include_exact: bool, same_style: bool, n_systems: int
) -> None:
    rng = random.Random(seed)
    golds, systems = random_trees(rng, n_systems)
    desk = Desk(folder, golds, **systems)
    labelled = options.compares_labels
    brackets = {
        name: list(seen(name, golds, parses, labelled=labelled, label=options.label))
        for name, parses in systems.items()
    }
    listed = desk.worklist(brackets=options, include_exact=include_exact, same_style=same_style)
    rows = [
        Seen(row.corpus, row.sent_id, row.start, row.end, label_in(row, options), item_of(row)) for row in listed.rows
    ]
    assert len(rows) == len(set(rows))
    assert set(rows) == expected_rows(brackets, exact=include_exact, same_style=same_style)
    assert all(row.weight == 1 and row.kind == "bracket" and not row.verdict for row in listed.rows)

    n_left = 8  # so many may stay open: the reference tries all ways to decide them
    verdicts: dict[tuple[str, str, int, int, str], str] = {}
    chosen: dict[str, str | None] = {}
    for row, one in zip(listed.rows, rows, strict=True):
        verdict = rng.choice(["accept", "reject", "accept", "reject", "", None])
        if verdict in ("", None):
            n_left -= 1
            verdict = verdict if n_left >= 0 else "accept"
        chosen[row.id] = verdict
        for name in systems if same_style else [row.corpus]:
            if verdict is not None:
                verdicts[replace(one, system=name).key] = verdict
    scores = desk.judged(decided(listed, lambda row: chosen[row.id]), brackets=options)
    for name, parses in systems.items():
        items = counted(golds, parses, labelled=labelled)
        found = found_in(scores[name])
        if options.label:  # the reference counts brackets of all labels: only those that are judged are compared
            tally = Counter(one.item for one in brackets[name])
            items = Counter({item: int((found[item] or (0, 0))[0]) for item in items}) | tally
            assert items["TPB"] == len(brackets[name])
        assert_same(found, bounds({item: items[item] for item in COUNTED}, brackets[name], verdicts))


COUNTED = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "PNINH", "TINH", "TNINH")


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from(MODES), st.booleans())
def test_what_is_judged_adds_up_and_gives_the_measures_of_the_totals(
    folder: Path, seed: int, options: BracketOptions, include_exact: bool
) -> None:
    rng = random.Random(seed)
    golds, systems = random_trees(rng, 1)
    desk = Desk(folder, golds, **systems)
    listed = desk.worklist(brackets=options, include_exact=include_exact)
    system = desk.judged(decided(listed, lambda _: rng.choice(["accept", "reject"])), brackets=options)["s0"]
    assert system.brackets is not None
    items = system.brackets.items
    assert not system.brackets.open_items
    assert not system.brackets.bounded
    for whole in ("EM", "CE", "SP"):
        assert items[f"{whole}A"] + items[f"{whole}R"] == items[whole]
    if not include_exact:
        assert items["EMR"] == 0
    for name, value in parser_measures({item: int(n) for item, n in items.items()}).values.items():
        if value is not None:
            assert system.measures[name].value == pytest.approx(value), name


@settings(max_examples=40)
@given(st.integers(0, 10**9), st.sampled_from(MODES), st.booleans())
def test_a_list_without_verdicts_leaves_everything_open(
    folder: Path, seed: int, options: BracketOptions, include_exact: bool
) -> None:
    golds, systems = random_trees(random.Random(seed), 1)
    desk = Desk(folder, golds, **systems)
    system = desk.judged(desk.worklist(brackets=options, include_exact=include_exact), brackets=options)["s0"]
    found = found_in(system)
    for whole in ("EM", "CE", "SP") if include_exact else ("CE", "SP"):
        n = (found[whole] or (0, 0))[0]
        assert found[f"{whole}A"] == found[f"{whole}R"] == (0, n)
    if not include_exact:
        assert (found["EMA"], found["EMR"]) == (found["EM"], (0, 0))
    for measure, item in (("False Error", "CE"), ("Spurious Reject", "SP")):
        assert found[measure] == ((0, 1) if found[item] != (0, 0) else None)


def test_without_a_list_measures_that_need_verdicts_are_not_known(folder: Path) -> None:
    system = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM).score().systems[0]
    assert system.brackets is not None
    assert (system.brackets.items["EMA"], system.brackets.items["EMR"]) == (5, 0)
    assert set(system.missing) == {
        "Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate",
    }  # fmt: skip
    assert not set(system.missing) & set(system.measures)


def test_what_is_settled_is_given_though_other_brackets_are_open(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist(include_exact=True)
    found = found_in(desk.judged(decided(listed, lambda row: "" if item_of(row) == "SP" else "reject"))["p"])
    assert (found["EMA"], found["EMR"], found["CEA"], found["CER"]) == ((0, 0), (5, 5), (0, 0), (2, 2))
    assert (found["SPA"], found["SPR"]) == ((0, 2), (0, 2))
    assert (found["Recall-hard"], found["False Error"]) == ((0, 0), (0, 0))
    assert found["Precision-soft"] == pytest.approx((0, 2 / 9))
    assert found["Test Noise"] == pytest.approx((7 / 9, 7 / 9))
    assert found["Problem Rate"] == pytest.approx((5 / 9, 7 / 9))


def test_ten_open_brackets_are_bounded_by_all_1024_ways(folder: Path) -> None:
    golds, system = PAPER_GOLD * 3, PAPER_SYSTEM * 3
    desk = Desk(folder, golds, p=system)
    verdicts = {row.id: "" for row in desk.worklist(include_exact=True).rows}
    listed = desk.worklist(include_exact=True)
    rng = random.Random(4)
    for row_id in rng.sample(sorted(verdicts), len(verdicts) - 10):
        verdicts[row_id] = rng.choice(["accept", "reject"])
    by_key = {("p", row.sent_id, row.start, row.end, ""): verdicts[row.id] for row in listed.rows}
    expected = bounds(
        counted(golds, system, labelled=False), list(seen("p", golds, system, labelled=False, label="")), by_key
    )
    assert_same(found_in(desk.judged(decided(listed, lambda row: verdicts[row.id]))["p"]), expected)


def test_deleted_rows_are_as_open_as_blank_ones(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    first = listed.rows[0].id
    blank = found_in(desk.judged(decided(listed, lambda row: "" if row.id == first else "accept"))["p"])
    deleted = found_in(desk.judged(decided(listed, lambda row: None if row.id == first else "accept"))["p"])
    assert_same(deleted, blank)
    assert blank["SPA"] == (1, 2)


def test_brackets_that_the_guideline_does_not_decide_are_as_open_as_blank_ones(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    first = listed.rows[0].id
    blank, unclear = (
        found_in(desk.judged(decided(listed, lambda row, said=said: said if row.id == first else "accept"))["p"])  # type: ignore[misc]
        for said in ("", "unclear")
    )
    assert_same(unclear, blank)


# ---- labels, several systems, doubled brackets -----------------------------------------------------------------------

LABELLED_GOLD = ["(TOP (S (NP (D the) (N dog)) (VP (V saw) (NP (D a) (N cat)))))"]
LABELLED_SYSTEM = ["(TOP (S (NP (D the) (N dog)) (VP (VP (V saw) (PP (D a) (N cat))))))"]


def test_labelled_brackets_are_judged_with_their_label(folder: Path) -> None:
    desk = Desk(folder, LABELLED_GOLD, p=LABELLED_SYSTEM)
    assert not desk.worklist().rows
    options = BracketOptions(labelled=True)
    listed = desk.worklist(brackets=options)
    assert [(row.id, row.text) for row in listed.rows] == [("p/1/4-5/PP", "the dog saw [PP a cat]")]
    system = desk.judged(decided(listed, lambda _: "reject"), brackets=options)["p"]
    assert system.brackets is not None
    assert [system.brackets.items[item] for item in ("TPB", *JUDGED_ITEMS)] == [4, 3, 0, 0, 0, 0, 1]


def test_a_label_pattern_limits_what_is_judged(folder: Path) -> None:
    gold = ["(TOP (S (NP (N a) (N b)) (VP (V c) (PP (P d) (N e)))))"]
    system = ["(TOP (S (N a) (NP (N b) (V c)) (PP (P d) (N e))))"]
    desk = Desk(folder, gold, p=system)
    options = BracketOptions(label="[NV]P")
    listed = desk.worklist(brackets=options, include_exact=True)
    assert [(row.id, item_of(row)) for row in listed.rows] == [("p/1/2-3/NP", "CE")]
    one = desk.judged(decided(listed, lambda _: "accept"), brackets=options)["p"]
    assert one.brackets is not None
    assert [one.brackets.items[item] for item in ("TTB", "TPB", *JUDGED_ITEMS)] == [2, 1, 0, 0, 1, 0, 0, 0]
    assert one.measures["Recall-soft"].value == 1 / 2
    assert {row.id for row in desk.worklist(brackets=BracketOptions(label="PP, NP"), include_exact=True).rows} == {
        "p/1/2-3/NP",
        "p/1/4-5/PP",
    }


OTHER_SYSTEM = [PAPER_GOLD[0], in_letters("[The [[president gave] [a long] speech]]")]


def test_in_one_style_a_bracket_of_both_systems_is_judged_once_for_both(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM, q=OTHER_SYSTEM)
    listed = desk.worklist(same_style=True)
    assert [row.id for row in listed.rows] == ["*/1/3-5", "*/2/2-6", "*/2/2-3", "*/2/4-5", "*/2/5-6"]
    assert {row.corpus for row in listed.rows} == {"*"}
    scores = desk.judged(decided(listed, lambda row: "accept" if row.id == "*/2/2-3" else "reject"))
    for name, items in {"p": [5, 0, 1, 1, 0, 2], "q": [4, 0, 1, 1, 0, 1]}.items():
        details = scores[name].brackets
        assert details is not None
        assert [details.items[item] for item in JUDGED_ITEMS] == items


def test_in_their_own_styles_systems_may_get_other_verdicts_for_a_bracket(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM, q=OTHER_SYSTEM)
    listed = desk.worklist()
    assert [row.id for row in listed.rows if row.start == 2] == ["p/2/2-6", "q/2/2-6", "p/2/2-3", "q/2/2-3"]
    scores = desk.judged(decided(listed, lambda row: "accept" if row.corpus == "p" else "reject"))
    for name, items in {"p": [5, 0, 2, 0, 2, 0], "q": [4, 0, 0, 2, 0, 1]}.items():
        details = scores[name].brackets
        assert details is not None
        assert [details.items[item] for item in JUDGED_ITEMS] == items


def test_verdicts_on_one_system_leave_the_other_open(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM, q=OTHER_SYSTEM)
    scores = desk.judged(decided(desk.worklist(), lambda row: "accept" if row.corpus == "p" else ""))
    assert (found_in(scores["p"])["CEA"], found_in(scores["q"])["CEA"]) == ((2, 2), (0, 2))


def test_a_bracket_that_is_there_twice_is_judged_once_and_counts_twice(folder: Path) -> None:
    desk = Desk(folder, [in_letters("[[a b] c]")], p=[in_letters("[a [[b c]]]")])
    options = BracketOptions(keep_doubled=True)
    listed = desk.worklist(brackets=options)
    assert [row.id for row in listed.rows] == ["p/1/2-3/CE"]
    system = desk.judged(decided(listed, lambda _: "accept"), brackets=options)["p"]
    assert system.brackets is not None
    assert [system.brackets.items[item] for item in ("CE", *JUDGED_ITEMS)] == [2, 1, 0, 2, 0, 0, 0]
    for undecided in (decided(listed, lambda _: ""), decided(listed, lambda _: None)):
        assert found_in(desk.judged(undecided, brackets=options)["p"])["CEA"] == (0, 2)


@pytest.mark.parametrize("include_exact", [False, True])
def test_a_doubled_bracket_of_which_the_gold_has_one_is_exact_once_and_spurious_once(
    folder: Path, include_exact: bool
) -> None:
    desk = Desk(folder, [in_letters("[[a b] c]")], p=[in_letters("[[[a b]] c]")])
    options = BracketOptions(keep_doubled=True)
    listed = desk.worklist(brackets=options, include_exact=include_exact)
    system = desk.judged(decided(listed, lambda _: "accept"), brackets=options)["p"]
    assert system.brackets is not None
    assert not system.brackets.open_items
    assert [system.brackets.items[item] for item in JUDGED_ITEMS] == [2, 0, 0, 0, 1, 0]


def test_splits_follow_the_verdicts(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    rejected = decided(desk.worklist(include_exact=True), lambda _: "reject")
    system = desk.judged(rejected, by=["label", "document", "length"])["p"]
    for groups in system.by.values():
        for scores in groups.values():
            assert not any(scores[name].value for name in ("Recall-hard", "Precision-hard") if name in scores)
    assert system.by["length"]["1–10"]["Recall-soft"].value == 0


# ---- what stands in the rows -----------------------------------------------------------------------------------------


def test_words_are_numbered_with_punctuation_and_without_traces(folder: Path) -> None:
    gold = [
        "(TOP (S (`` ``) (NP (-NONE- *)) (NP (N Ann) (, ,) (CC and) (-NONE- *T*) (N Bo)) (VP (V eat) (N pie)) (. .)))"
    ]
    system = ["(TOP (S (`` ``) (N Ann) (X (, ,) (CC and) (N Bo) (V eat)) (Y (N pie) (. .))))"]
    row = Desk(folder, gold, p=system).worklist().rows[0]
    assert (row.id, row.start, row.end) == ("p/1/4-6", 4, 6)  # `` Ann , and Bo eat pie .
    assert row.text == "`` Ann , [and Bo eat] pie ."
    assert row.shown == "CE; gold: [[Ann and Bo] [eat pie]]; p: [Ann [and Bo eat] pie]"
    kept = Desk(folder, gold, p=system).worklist(brackets=BracketOptions(punctuation="none")).rows
    assert [(row.start, row.end, item_of(row)) for row in kept] == [(3, 6, "CE"), (7, 8, "CE")]
    assert kept[0].text == "`` Ann [, and Bo eat] pie ."


def test_punctuation_inside_a_bracket_is_shown_inside(folder: Path) -> None:
    gold = ["(S (A (N a) (, ,)) (B (N b) (N c)))"]
    row = Desk(folder, gold, p=["(S (A (N a) (, ,) (N b)) (N c))"]).worklist().rows[0]
    assert (row.start, row.end, row.text) == (1, 3, "[a , b] c")
    assert row.shown == "CE; gold: [a [b c]]; p: [[a b] c]"


@pytest.mark.parametrize("word", ["[", "]", "a[1]"])
def test_words_with_brackets_get_other_marks(folder: Path, word: str) -> None:
    gold = [f"(S (A (N x) (N {word})) (N y))", "(S (A (N x) (N z)) (N y))"]
    first, second = (
        Desk(folder, gold, p=[f"(S (N x) (A (N {word}) (N y)))", "(S (N x) (A (N z) (N y)))"]).worklist().rows
    )
    assert first.text == f"x ⟦{word} y⟧"
    assert second.text == "x [z y]"


def test_the_context_is_the_smallest_bracket_around_on_each_side(folder: Path) -> None:
    gold = [in_letters("[[v w] [x [[a b] c] y] z]")]
    system = [in_letters("[v [w [x [a [b c]]]] [y z]]")]
    shown = {row.id: row.shown for row in Desk(folder, gold, parser=system).worklist().rows}
    assert shown["parser/1/5-6"] == "CE; gold: [[a b] c]; parser: [a [b c]]"
    assert shown["parser/1/7-8"] == (
        "CE; gold: [[v w] [x [[a b] c] y] z]; parser: [v [w [x [a [b c]]]] [y z]]"
    )  # nothing smaller than the sentence holds it
    assert shown["parser/1/3-6"] == "SP; gold: [x [[a b] c] y]; parser: [w [x [a [b c]]]]"


@pytest.mark.parametrize(
    ("same_style", "whose"), [(False, "the system named in the column corpus aims at"), (True, "the systems aim at")]
)
def test_the_criterion_of_the_paper_is_at_the_head(folder: Path, same_style: bool, whose: str) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    head = desk.worklist(same_style=same_style).head
    assert head[0] == (
        f"Accept a bracket if it fits the correct interpretation of the sentence, in the style of bracketing that "
        f"{whose}, whatever the style of the treebank; reject it otherwise [Hogenhout & Matsumoto 1996, section 3]."
    )
    assert "accept or reject" in head[1]
    assert all(f"{item}: " in head[2] for item in ("EM", "CE", "SP"))
    lines = desk.path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#schema karat/worklist/1"
    assert lines[1:5] == [f"# {line}" for line in head]


def test_the_head_says_what_a_list_was_made_from(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, **{"p": PAPER_SYSTEM, "q, r": PAPER_SYSTEM})
    signed = desk.worklist(brackets=BracketOptions(labelled=True, punctuation="none")).head[-1]
    assert signed.startswith("karat:")
    assert "|verb:score worklist|brackets:labelled|punctuation:none|" in signed
    assert "|systems:p,q%2C r|gold:" in signed
    assert len(re.findall(r"\|(?:gold|system):[^|]*@sha256:[0-9a-f]{16}", signed)) == 3


def test_rows_follow_the_text_and_outer_brackets_come_first(folder: Path) -> None:
    golds, systems = random_trees(random.Random(11), 2)
    rows = Desk(folder, golds, **systems).worklist(include_exact=True).rows
    places = [(int(row.sent_id), row.start, -row.end, row.corpus) for row in rows]
    assert places == sorted(places)


def test_sentences_of_several_files_are_told_apart(tmp_path: Path) -> None:
    for side, trees in (("gold", PAPER_GOLD), ("p", PAPER_SYSTEM)):
        (tmp_path / side / "deep").mkdir(parents=True)
        (tmp_path / side / "a.ptb").write_text(trees[1], encoding="utf-8")
        (tmp_path / side / "deep" / "b.ptb").write_text(trees[1], encoding="utf-8")
    path = tmp_path / "check.tsv"
    write_worklist(path, bracket_worklist(tmp_path / "gold", tmp_path / "p"))
    listed = read_worklist(path, kinds=VERDICTS)
    assert [row.id for row in listed.rows if row.end == 3] == ["p/a.ptb:1/2-3", "p/deep/b.ptb:1/2-3"]
    write_worklist(path, decided(listed, lambda row: "accept" if row.sent_id == "a.ptb:1" else "reject"))
    scores = score(tmp_path / "gold", tmp_path / "p", judgements=path, intervals=False, by="document")
    details = scores.systems[0].brackets
    assert details is not None
    assert [details.items[item] for item in JUDGED_ITEMS] == [4, 0, 2, 2, 1, 1]
    by = scores.systems[0].by["document"]
    assert (by["a.ptb"]["False Error"].value, by["deep/b.ptb"]["False Error"].value) == (1, 0)


def test_sentences_that_cannot_be_scored_have_nothing_to_judge(folder: Path) -> None:
    bad_gold, bad_system = "(X (W a) (W b)", "(X (W other) (W words))"
    golds = [PAPER_GOLD[1], PAPER_GOLD[1], bad_gold, PAPER_GOLD[1]]
    desk = Desk(folder, golds, p=["(())", bad_system, PAPER_SYSTEM[1], PAPER_SYSTEM[1]])
    listed = desk.worklist(skip_bad=True, include_exact=True)
    assert {row.sent_id for row in listed.rows} == {"4"}
    system = desk.judged(decided(listed, lambda _: "accept"), skip_bad=True)["p"]
    assert system.brackets is not None
    assert [system.brackets.items[item] for item in ("TTB", "TPB", *JUDGED_ITEMS)] == [12, 5, 2, 0, 2, 0, 1, 0]


# ---- samples ---------------------------------------------------------------------------------------------------------


def checks_of(golds: Sequence[str], **systems: Sequence[str]) -> list[BracketCheck]:
    sides = {
        name: brackets_from_source(source_from_bytes("\n".join(trees).encode(), f"{name}.ptb"))
        for name, trees in {"gold": golds, **systems}.items()
    }
    punctuation = punctuation_named("penn")
    return [
        BracketCheck(
            name, TreeComparison(paired_trees(sides["gold"], sides[name], punctuation), BracketOptions())
        )
        for name in systems
    ]  # fmt: skip


@pytest.fixture(scope="module")
def many() -> tuple[list[str], dict[str, list[str]]]:
    rng = random.Random(7)
    golds, first, second = [], [], []
    for _ in range(40):
        words = [f"(W w{place})" for place in range(rng.randint(6, 10))]
        gold, parse, other = (f"(TOP {random_tree(rng, words)})" for _ in range(3))
        golds.append(gold)
        first.append(rng.choice([parse, corrupted_tree(gold, rng)]))
        second.append(rng.choice([other, first[-1], corrupted_tree(first[-1], rng)]))
    return golds, {"p": first, "q": second}


Stratum = tuple[str, frozenset[str]]


def strata_of(checks: Sequence[BracketCheck], *, same_style: bool) -> dict[str, Stratum]:
    """By id, the item of a bracket and whose it is."""
    rows = worklist_of_checks(checks, include_exact=True).rows
    owners: dict[tuple[str, int, int], set[str]] = {}
    for row in rows:
        owners.setdefault((row.sent_id, row.start, row.end), set()).add(row.corpus)
    if not same_style:
        return {row.id: (item_of(row), frozenset({row.corpus})) for row in rows}
    return {
        f"*/{row.sent_id}/{row.start}-{row.end}": (
            item_of(row), frozenset(owners[(row.sent_id, row.start, row.end)])
        )
        for row in rows
    }  # fmt: skip


@pytest.mark.parametrize("same_style", [False, True])
@pytest.mark.parametrize("size", [12, 13, 40, 77])
def test_a_sample_stands_for_its_strata(
    many: tuple[list[str], dict[str, list[str]]], size: int, same_style: bool
) -> None:
    checks = checks_of(many[0], **many[1])
    strata = strata_of(checks, same_style=same_style)
    sizes = Counter(strata.values())
    assert len(sizes) == (9 if same_style else 6)
    rows = worklist_of_checks(checks, include_exact=True, sample=size, same_style=same_style, seed=3).rows
    assert len(rows) == len({row.id for row in rows}) == size
    weights: dict[Stratum, list[float]] = {}
    for row in rows:
        weights.setdefault(strata[row.id], []).append(row.weight)
    assert set(weights) == set(sizes)
    for stratum, ones in weights.items():
        assert len(set(ones)) == 1
        assert sum(ones) == pytest.approx(sizes[stratum])
        for other, others in weights.items():
            if sizes[other] > sizes[stratum]:
                assert len(others) >= len(ones)
    shares = {stratum: (len(ones) - 1) / max(sizes[stratum] - 1, 1) for stratum, ones in weights.items()}
    overall = (size - len(sizes)) / (len(strata) - len(sizes))
    for stratum, share in shares.items():
        assert abs(share - overall) * (sizes[stratum] - 1) < 1


@pytest.mark.parametrize("include_exact", [False, True])
def test_a_sample_of_as_many_as_there_are_is_the_whole_list(
    many: tuple[list[str], dict[str, list[str]]], include_exact: bool
) -> None:
    checks = checks_of(many[0], **many[1])
    every = worklist_of_checks(checks, include_exact=include_exact)
    for size in (len(every.rows), len(every.rows) + 1):
        assert worklist_of_checks(checks, include_exact=include_exact, sample=size) == every
    one_less = worklist_of_checks(checks, include_exact=include_exact, sample=len(every.rows) - 1)
    assert len(one_less.rows) == len(every.rows) - 1


def test_the_seed_decides_the_sample(folder: Path, many: tuple[list[str], dict[str, list[str]]]) -> None:
    desk = Desk(folder, many[0], **many[1])
    first, again, other = (desk.worklist(sample=20, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert {row.id for row in first.rows} != {row.id for row in other.rows}
    assert len(other.rows) == 20


def test_a_sample_too_small_for_its_strata_is_refused(
    folder: Path, many: tuple[list[str], dict[str, list[str]]]
) -> None:
    desk = Desk(folder, many[0], **many[1])
    assert len(desk.worklist(sample=4).rows) == 4  # CE and SP of two systems
    with pytest.raises(UsageError, match="a sample of 3 is too small: there are 4 kinds"):
        desk.worklist(sample=3)
    assert not desk.path.exists()


def truth(row: WorklistRow) -> str:
    """A verdict that depends on the place only, so that it is the same in every sample."""
    return "accept" if zlib.crc32(f"{row.sent_id}/{row.start}-{row.end}".encode()) % 3 else "reject"


def estimate(sample: Worklist, strata: Mapping[str, Stratum], item: str, system: str) -> float:
    """How many brackets of a system are accepted, as the sample says."""
    return sum(
        row.weight
        for row in sample.rows
        if row.verdict == "accept" and strata[row.id][0] == item and system in strata[row.id][1]
    )


@pytest.mark.parametrize("same_style", [False, True])
@pytest.mark.parametrize("item", ["CE", "SP"])
def test_estimates_from_samples_are_unbiased(
    many: tuple[list[str], dict[str, list[str]]], item: str, same_style: bool
) -> None:
    checks = checks_of(many[0], **many[1])
    strata = strata_of(checks, same_style=same_style)
    every = decided(worklist_of_checks(checks, same_style=same_style), truth)
    right = sum(
        row.verdict == "accept" for row in every.rows if item_of(row) == item and "p" in strata[row.id][1]
    )  # fmt: skip
    estimates = []
    for seed in range(200):
        sample = decided(worklist_of_checks(checks, sample=24, same_style=same_style, seed=seed), truth)
        estimates.append(estimate(sample, strata, item, "p"))
    drawn = Counter(strata[row.id] for row in sample.rows)
    variance = 0.0  # of a stratum's estimate: that of the hypergeometric distribution, scaled up
    for stratum, n in drawn.items():
        ones = [row.verdict == "accept" for row in every.rows if strata[row.id] == stratum]
        size, share = len(ones), sum(ones) / len(ones)
        if stratum[0] == item and "p" in stratum[1] and size > 1:
            variance += size**2 * share * (1 - share) / n * (size - n) / (size - 1)
    assert variance > 1
    assert abs(np.mean(estimates) - right) < 4 * np.sqrt(variance / len(estimates))
    assert 0.6 < np.var(estimates) / variance < 1.5


@pytest.mark.parametrize("same_style", [False, True])
def test_a_judged_sample_gives_estimates_that_add_up(
    folder: Path, many: tuple[list[str], dict[str, list[str]]], same_style: bool
) -> None:
    desk = Desk(folder, many[0], **many[1])
    strata = strata_of(checks_of(many[0], **many[1]), same_style=same_style)
    sample = decided(desk.worklist(sample=30, include_exact=True, same_style=same_style), truth)
    for name, system in desk.judged(sample).items():
        assert system.brackets is not None
        items = system.brackets.items
        assert not system.brackets.open_items
        for whole in ("EM", "CE", "SP"):
            assert items[f"{whole}A"] == pytest.approx(estimate(sample, strata, whole, name))
            assert items[f"{whole}A"] + items[f"{whole}R"] == pytest.approx(items[whole])
        found = {name: one.value for name, one in system.measures.items() if name in TABLE_3}
        assert found == pytest.approx(measured(items))


@pytest.mark.parametrize("same_style", [False, True])
def test_a_sample_of_doubled_brackets_stands_for_all_of_them(folder: Path, same_style: bool) -> None:
    gold, once, twice = (in_letters(tree) for tree in ("[[a b] c]", "[a [b c]]", "[a [[b c]]]"))
    desk = Desk(folder, [gold] * 9, p=[once] * 3 + [twice] * 6)
    options = BracketOptions(keep_doubled=True)
    for seed in range(5):
        sample = desk.worklist(sample=3, same_style=same_style, brackets=options, seed=seed)
        items = found_in(desk.judged(decided(sample, lambda _: "accept"), brackets=options)["p"])
        assert items["CE"] == (3 + 6 * 2, 3 + 6 * 2)
        assert items["CEA"] == pytest.approx((15, 15))
        assert items["CER"] == (0, 0)


@pytest.mark.parametrize("lost", ["", None])
def test_a_sample_with_one_row_undecided_gives_bounds(
    folder: Path, many: tuple[list[str], dict[str, list[str]]], lost: str | None
) -> None:
    desk = Desk(folder, many[0], p=many[1]["p"])
    sample = desk.worklist(sample=10)
    victim = next(row for row in sample.rows if item_of(row) == "CE")
    assert victim.weight > 1
    accepted = [row for row in sample.rows if item_of(row) == "CE" and row != victim and truth(row) == "accept"]
    least = sum(row.weight for row in accepted)
    found = found_in(desk.judged(decided(sample, lambda row: lost if row.id == victim.id else truth(row)))["p"])
    n = (found["CE"] or (0, 0))[0]
    assert found["CEA"] == pytest.approx((least, least + victim.weight))
    assert found["CER"] == pytest.approx((n - least - victim.weight, n - least))
    assert found["False Error"] == pytest.approx((least / n, (least + victim.weight) / n))
    estimated = sum(row.weight for row in sample.rows if item_of(row) == "SP" and truth(row) == "accept")
    assert found["SPA"] == pytest.approx((estimated, estimated))


def test_weights_that_a_spreadsheet_rounded_still_give_an_estimate(
    folder: Path, many: tuple[list[str], dict[str, list[str]]]
) -> None:
    desk = Desk(folder, many[0], p=many[1]["p"])
    sample = decided(desk.worklist(sample=18), truth)
    for digits in (7, 8, 9):
        rounded = tuple(replace(row, weight=float(f"{row.weight:.{digits}g}")) for row in sample.rows)
        assert rounded != sample.rows
        system = desk.judged(replace(sample, rows=rounded))["p"]
        assert system.brackets is not None
        assert not system.brackets.open_items
        assert system.brackets.items["CEA"] + system.brackets.items["CER"] == pytest.approx(62)


# ---- mistakes --------------------------------------------------------------------------------------------------------


def altered(worklist: Worklist, line: int, **changes: Any) -> Worklist:
    return replace(worklist, rows=tuple(replace(row, **changes) if row.line == line else row for row in worklist.rows))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "p/2/3-6"}, "'p/2/3-6' does not match any bracket"),
        ({"id": "p/2/1-6"}, "the id is 'p/2/1-6', but the row says 2 2-6"),  # of an exact match
        ({"id": "q/2/2-6"}, "'q/2/2-6' does not match any bracket"),
        ({"sent_id": "1"}, "the id is 'p/2/2-6', but the row says 1 2-6"),
        ({"start": 1}, "the id is 'p/2/2-6', but the row says 2 1-6"),
        ({"end": 5}, "the id is 'p/2/2-6', but the row says 2 2-5"),
        ({"corpus": "r"}, "no system 'r'"),
        ({"corpus": "q"}, "'p/2/2-6' does not match any bracket"),
    ],
)
def test_rows_that_fit_no_bracket_are_told_with_their_line(folder: Path, changes: dict[str, Any], message: str) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM, q=PAPER_GOLD)
    listed = decided(desk.worklist(), lambda _: "accept")
    line = listed.rows[1].line
    (problem,) = desk.problems(altered(listed, line, **changes))
    assert (problem.code, problem.line, problem.path) == ("K736", line, str(desk.path))
    assert message in problem.message
    assert desk.path.read_text(encoding="utf-8").splitlines()[line - 1].split("\t")[6] == listed.rows[1].text


def test_all_misfits_are_told_at_once_in_the_order_of_the_file(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    wrong = altered(altered(listed, listed.rows[0].line, id="p/1/9-9"), listed.rows[3].line, sent_id="7")
    assert [problem.line for problem in desk.problems(wrong)] == [listed.rows[0].line, listed.rows[3].line]
    desk.systems["r"] = desk.systems.pop("p")
    problems = desk.problems(listed)
    assert [problem.line for problem in problems] == [row.line for row in listed.rows]
    assert "systems here are r" in problems[0].hint


def test_a_row_of_all_systems_must_fit_one_of_them(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM, q=OTHER_SYSTEM)
    listed = desk.worklist(same_style=True)
    last = next(row for row in listed.rows if row.id == "*/2/4-5")
    assert desk.judged(listed)  # a bracket of q alone is no misfit
    del desk.systems["q"]
    (problem,) = desk.problems(listed)
    assert (problem.code, problem.line) == ("K736", last.line)
    assert "same gold, systems" in problem.hint


@pytest.mark.parametrize(
    ("made", "read"),
    [
        (BracketOptions(keep_one_word=True), BracketOptions()),
        (BracketOptions(punctuation="none"), BracketOptions()),
        (BracketOptions(labelled=True), BracketOptions()),
        (BracketOptions(), BracketOptions(labelled=True)),
        (BracketOptions(labelled=True), BracketOptions(label="B")),
    ],
)
def test_a_list_of_another_preparation_does_not_fit(folder: Path, made: BracketOptions, read: BracketOptions) -> None:
    gold = ["(S (A (N a) (, ,)) (B (N b) (N c)))"]
    system = ["(S (A (N a) (B (, ,) (N b))) (C (N c)))"]
    desk = Desk(folder, gold, p=system)
    problems = desk.problems(decided(desk.worklist(brackets=made), lambda _: "accept"), brackets=read)
    assert {problem.code for problem in problems} == {"K736"}
    assert "preparation that the worklist was made from" in problems[0].hint


def test_weights_that_stand_for_more_brackets_than_there_are_are_refused(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    (problem,) = desk.problems(altered(listed, listed.rows[1].line, weight=1.001))
    assert (problem.code, problem.path) == ("K737", str(desk.path))
    assert "the weights of p's CE brackets sum to 2.001, but there are 2" in problem.message
    assert desk.judged(altered(listed, listed.rows[1].line, weight=1.0000001))  # as a spreadsheet may round


def test_weights_that_stand_for_fewer_brackets_than_have_a_row_are_refused(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = decided(desk.worklist(), lambda _: "accept")
    (problem,) = desk.problems(altered(listed, listed.rows[1].line, weight=0.5))
    assert problem.code == "K737"


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("\t1\t\t\t\t\np/2/2-6", "\t1\tmaybe\t\t\t\np/2/2-6", "K734", 7),
        ("p/2/2-3\t", "p/2/2-6\t", "K735", 9),
        ("\tbracket\tp\t2\t2\t3", "\tphrase\tp\t2\t2\t3", "K733", 9),
        ("\tbracket\tp\t2\t2\t3", "\tbracket\tp\t2\ttwo\t3", "K732", 9),
        ("id\tkind", "id\tsort", "K731", 6),
        ("karat/worklist/1", "karat/score/1", "K730", 1),
    ],
)
def test_a_broken_list_is_told_with_its_line(folder: Path, old: str, new: str, code: str, line: int) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    desk.worklist()
    text = desk.path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    desk.path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        desk.score(judgements=desk.path)
    assert [(problem.code, problem.line) for problem in caught.value.problems] == [(code, line)]


def test_verdicts_survive_a_spreadsheet(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    desk.worklist()
    rows = desk.path.read_text(encoding="utf-8").replace("\t1\t\t\t\t\n", "\t1\t ACCEPT \t\tIna\t\n")
    desk.path.write_bytes(b"\xef\xbb\xbf" + rows.replace("\n", "\r\n").encode())
    found = found_in(desk.score(judgements=desk.path).systems[0])
    assert (found["CEA"], found["SPA"]) == ((2, 2), (2, 2))


def test_compressed_lists_are_written_and_read(folder: Path, tmp_path: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    path = tmp_path / "check.tsv.gz"
    desk.write(path)
    assert gzip.decompress(path.read_bytes()).startswith(b"#schema karat/worklist/1\n")
    found = found_in(desk.score(judgements=path).systems[0])
    assert found["CEA"] == (0, 2)


def test_a_file_with_verdicts_is_not_written_over(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    listed = desk.worklist()
    write_worklist(desk.path, altered(listed, listed.rows[3].line, verdict="reject"))
    before = desk.path.read_bytes()
    with pytest.raises(UsageError, match="exists and contains verdicts or notes"):
        desk.write(desk.path)
    assert desk.path.read_bytes() == before
    write_worklist(desk.path, listed)
    desk.write(desk.path, include_exact=True)
    assert len(read_worklist(desk.path, kinds=VERDICTS).rows) == 9


def test_a_file_that_is_no_worklist_is_not_written_over(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    for path in (desk.gold, desk.systems["p"]):
        before = path.read_bytes()
        with pytest.raises(UsageError, match="exists and is not a worklist"):
            desk.write(path)
        assert path.read_bytes() == before


def test_nothing_is_written_where_the_trees_cannot_be_read(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=["(X", *PAPER_SYSTEM[1:]])
    desk.path.unlink(missing_ok=True)
    with pytest.raises(DataError):
        desk.write(desk.path)
    assert not desk.path.exists()


def test_empty_brackets_cannot_be_judged(folder: Path) -> None:
    desk = Desk(folder, PAPER_GOLD, p=PAPER_SYSTEM)
    with pytest.raises(UsageError, match="empty brackets have no words to judge"):
        desk.worklist(brackets=BracketOptions(keep_empty=True))


# ---- intervals -------------------------------------------------------------------------------------------------------


def test_all_twelve_measures_have_an_interval_around_their_value(
    folder: Path, many: tuple[list[str], dict[str, list[str]]]
) -> None:
    desk = Desk(folder, many[0], p=many[1]["p"])
    listed = desk.worklist(include_exact=True)
    for options in ({}, {"inference": InferenceOptions(method="percentile", n_resamples=500)}):
        system = desk.judged(decided(listed, truth), intervals=True, **options)["p"]
        for name in TABLE_3:
            one = system.measures[name]
            assert one.interval is not None
            assert one.interval.lower is not None
            assert one.interval.upper is not None
            assert one.interval.lower < one.value < one.interval.upper, name
            assert one.interval.n_clusters == len(many[0])


def test_intervals_of_open_measures_reach_around_both_ends(
    folder: Path, many: tuple[list[str], dict[str, list[str]]]
) -> None:
    desk = Desk(folder, many[0], p=many[1]["p"])
    listed = desk.worklist(include_exact=True)
    verdicts = decided(listed, lambda row: truth(row) if int(row.sent_id) % 4 else "")
    for options in ({}, {"inference": InferenceOptions(method="percentile", n_resamples=500)}):
        system = desk.judged(verdicts, intervals=True, **options)["p"]
        assert system.brackets is not None
        assert {"Recall-soft", "Precision-soft", "False Error", "Problem Rate"} <= set(system.brackets.bounded)
        for one in system.brackets.bounded.values():
            least, most = (score.interval for score in one.scores)
            assert least is not None
            assert most is not None
            assert least.lower is not None
            assert most.upper is not None
            assert least.lower < one.least <= one.most < most.upper, one.measure.name


def test_an_interval_from_verdicts_is_that_of_the_judged_counts(
    folder: Path, many: tuple[list[str], dict[str, list[str]]]
) -> None:
    """Where every bracket is accepted, Precision-soft is 1 in all sentences, and False Error too."""
    desk = Desk(folder, many[0], p=many[1]["p"])
    system = desk.judged(decided(desk.worklist(), lambda _: "accept"), intervals=True)["p"]
    assert (system.measures["Precision-soft"].value, system.measures["False Error"].value) == (1, 1)
    assert (
        system.counts["False Error"].sum(axis=0)[:3].tolist()
        == [system.brackets.items["CE"] if system.brackets else 0] * 3
    )
