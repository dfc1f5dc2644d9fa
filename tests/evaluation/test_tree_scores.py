"""Scores of constituency trees, held to a slow reference: every measure, sentence by sentence, under all switches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import karat
import karat._compiled
import tree_score_reference as reference
from bracket_reference import RefNode, tree, trees
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import DataError, UsageError
from karat.evaluation.results import SystemScores
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.twelve_measures import PARSER_MEASURES
from realdata import data, data_files
from tree_corruptions import corrupted_tree
from tree_score_reference import PUNCTUATION, WORDS, Choice, DifferError, Leaf, random_tree, random_words, with_traces

FILE_TAGS = frozenset({",", "UH", "-LRB-"})
NEED_JUDGEMENTS = {"Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate"}
PATTERNS = ("", "NP", "N*,PP", "*")


def read(lines: str | Sequence[str], path: str = "trees.ptb") -> Trees:
    text = lines if isinstance(lines, str) else "\n".join(lines)
    return brackets_from_source(source_from_bytes(text.encode(), path))


# --- pairs of trees ---


def random_pair(rng: random.Random, *, differing: bool = True) -> tuple[str, str]:
    """A gold tree and a system's over the same words; the system's tags are other ones here and there.

    With `differing` now and then there is no parse, or one that lacks a word or has another one.
    """
    words = random_words(rng)
    gold = random_tree(rng, with_traces(rng, words))
    every = (*PUNCTUATION, *WORDS)
    own = [Leaf(rng.choice(every)[0], word.form) if rng.random() < 0.1 else word for word in words]
    kind = rng.random()
    if differing and kind < 0.07:
        return gold, rng.choice(("()", "(())", "( ())"))
    if differing and kind < 0.16:
        place = rng.randrange(len(own))
        own[place : place + 1] = rng.choice(([], [Leaf("NN", "bone")], [own[place], Leaf(",", ",")]))
    return gold, random_tree(rng, with_traces(rng, own)) if own else "()"


def random_pairs(rng: random.Random, n: int, *, differing: bool = True) -> tuple[list[str], list[str]]:
    pairs = [random_pair(rng, differing=differing) for _ in range(n)]
    return [gold for gold, _ in pairs], [system for _, system in pairs]


@pytest.fixture(scope="module")
def tag_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tags") / "tags.txt"
    path.write_text("\n".join(sorted(FILE_TAGS)) + "\n", encoding="utf-8")
    return path


def options(choice: Choice, tag_file: Path, cutoff: int = 40) -> karat.BracketOptions:
    return karat.BracketOptions(
        punctuation=tag_file if choice.punctuation == "file" else choice.punctuation,
        keep_empty=not choice.drop_empty,
        keep_doubled=not choice.merge_doubled,
        keep_one_word=not choice.drop_one_word,
        labelled=choice.labelled,
        label=choice.label,
        cutoff=cutoff,
    )


def every_choice() -> list[Choice]:
    both = (True, False)
    return [
        Choice(kind, *switches, label, FILE_TAGS if kind == "file" else frozenset())
        for kind in ("penn", "unicode", "none", "file")
        for switches in product(both, both, both, both)
        for label in PATTERNS
    ]


# --- as the reference has it ---


def scored(
    golds: Sequence[str], systems: Sequence[str], choice: Choice, tag_file: Path, cutoff: int = 40, by: str = ""
) -> SystemScores:
    found = karat.score(
        read(golds), read(systems), brackets=options(choice, tag_file, cutoff), by=by or (), skip_bad=True,
        intervals=False,
    )  # fmt: skip
    return found.systems[0]


def assert_measures(found: dict[str, float], wanted: dict[str, float | None]) -> None:
    assert set(found) == {name for name, value in wanted.items() if value is not None}
    for name, value in found.items():
        assert value == pytest.approx(wanted[name], abs=1e-12), name


def assert_as_reference(golds: list[str], systems: list[str], choice: Choice, tag_file: Path, cutoff: int = 6) -> None:
    one = scored(golds, systems, choice, tag_file, cutoff)
    details = one.brackets
    assert details is not None
    roots = [(tree(gold), tree(system)) for gold, system in zip(golds, systems, strict=True)]
    slow = [reference.sentence_values(*pair, choice) for pair in roots]
    assert set(details.values) == set(slow[0])
    for number, wanted in enumerate(slow):
        fast = {name: counts[number] for name, counts in details.values.items()}
        assert fast == wanted, (choice, golds[number], systems[number])
    total = reference.summed(slow)
    assert details.items == {name: total[name] for name in (*reference.ITEMS, "EMA", "EMR")}
    wanted_measures = reference.measures(total)
    assert_measures({name: score.value for name, score in one.measures.items()}, wanted_measures)
    assert set(details.undefined) == {name for name, value in wanted_measures.items() if value is None}
    assert set(one.missing) == NEED_JUDGEMENTS

    missing = [not reference.leaves(system) for _, system in roots]
    differing = [number for number, pair in enumerate(roots) if first_difference(*pair, choice)]
    assert details.n_missing == sum(missing)
    assert (one.skipped.gold, one.skipped.system) == (0, len(differing))
    parsed = [
        values["CE"] for number, values in enumerate(slow) if not missing[number] and number not in set(differing)
    ]
    tally = [parsed.count(0), parsed.count(1), parsed.count(2), sum(n > 2 for n in parsed)]
    assert list(details.crossings.values()) == tally
    short = [values for (gold, _), values in zip(roots, slow, strict=True) if reference.n_words(gold) <= cutoff]
    assert details.n_up_to_cutoff == len(short)
    if short:
        here = reference.measures(reference.summed(short))
        assert set(details.up_to_cutoff) <= set(one.measures)
        for name, score in details.up_to_cutoff.items():
            if here[name] is not None:
                assert score.value == pytest.approx(here[name], abs=1e-12), name


def first_difference(gold: RefNode, system: RefNode, choice: Choice) -> DifferError | None:
    if not reference.leaves(system):
        return None
    try:
        reference.compared(gold, system, choice, labelled=False)
    except DifferError as difference:
        return difference
    return None


@given(st.integers(0, 10**9), st.sampled_from(every_choice()), st.integers(1, 15))
@settings(max_examples=100)
def test_random_pairs_have_the_reference_s_counts_and_measures(
    tag_file: Path, seed: int, choice: Choice, cutoff: int
) -> None:
    golds, systems = random_pairs(random.Random(seed), 8)
    assert_as_reference(golds, systems, choice, tag_file, cutoff)


@pytest.mark.parametrize("punctuation", ["penn", "unicode", "none", "file"])
@pytest.mark.parametrize("label", PATTERNS)
def test_all_switches_together_have_the_reference_s_counts(tag_file: Path, punctuation: str, label: str) -> None:
    chosen = [one for one in every_choice() if (one.punctuation, one.label) == (punctuation, label)]
    assert len(chosen) == 16
    for number, choice in enumerate(chosen):
        golds, systems = random_pairs(random.Random(f"{number}{punctuation}{label}"), 15)
        assert_as_reference(golds, systems, choice, tag_file)


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("drop_empty", [False, True])
def test_compiled_code_has_the_reference_s_counts(
    tag_file: Path, monkeypatch: pytest.MonkeyPatch, labelled: bool, drop_empty: bool
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(karat._compiled, "_n_bytes_so_far", karat._compiled._ENOUGH)
    for merge, one_word, label in product((True, False), (True, False), ("", "NP")):
        choice = Choice("penn", drop_empty, merge, one_word, labelled, label)
        assert karat._compiled.pays()
        assert_as_reference(*random_pairs(random.Random(f"{merge}{one_word}{label}"), 25), choice, tag_file)


def test_an_empty_bracket_at_the_end_of_a_tree_is_not_found_at_the_beginning_of_the_next(tag_file: Path) -> None:
    golds = ["(S (X a) (X b) (NP (, ,)))", "(S (X c) (X d))"]
    systems = ["(S (X a) (X b) (, ,))", "(S (NP (-NONE- *)) (X c) (X d))"]
    one = scored(golds, systems, Choice(drop_empty=False), tag_file).brackets
    assert one is not None
    found = {name: one.values[name].tolist() for name in ("TTB", "TPB", "EM", "SP")}
    assert found == {"TTB": [2, 1], "TPB": [1, 2], "EM": [1, 1], "SP": [0, 1]}


# --- real trees ---


def gum_pairs(n: int, seed: int) -> tuple[list[str], list[str]]:
    """Every so many-th tree of GUM and the same with errors; now and then there is no parse."""
    paths = data_files("gum-const/*.ptb")
    texts = [block for path in paths for block in path.read_text(encoding="utf-8").strip().split("\n\n")]
    golds = [" ".join(text.split()) for text in texts[:: len(texts) // n]]
    rng = random.Random(seed)
    return golds, ["(())" if rng.random() < 0.02 else corrupted_tree(gold, rng) for gold in golds]


@pytest.mark.parametrize(
    "choice",
    [
        Choice(),
        Choice(labelled=True),
        Choice("unicode", drop_one_word=False),
        Choice("none", merge_doubled=False, labelled=True),
        Choice(label="NP*,VP"),
    ],
    ids=str,
)
def test_gum_with_errors_has_the_reference_s_counts_and_measures(tag_file: Path, choice: Choice) -> None:
    golds, systems = gum_pairs(80, 4)
    assert_as_reference(golds, systems, choice, tag_file, cutoff=20)


@pytest.mark.parametrize("name", ["gum", "errors", "edge"])
@pytest.mark.parametrize("labelled", [False, True])
def test_evalb_s_own_pairs_have_the_reference_s_counts(tag_file: Path, name: str, labelled: bool) -> None:
    golds, systems = (
        data(f"evalb/{name}.{side}").read_text(encoding="utf-8").rstrip("\n").split("\n")[:80]
        for side in ("gld", "tst")
    )
    systems = [system if system.strip() else "(())" for system in systems]
    assert_as_reference(golds, systems, Choice(labelled=labelled), tag_file, cutoff=40)


# --- splits ---


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_items_by_label_are_those_of_the_reference_and_sum_to_the_labelled_ones(
    tag_file: Path, seed: int, labelled: bool, merge: bool
) -> None:
    choice = Choice(labelled=labelled, merge_doubled=merge)
    golds, systems = random_pairs(random.Random(seed), 8)
    one = scored(golds, systems, choice, tag_file, by="label")
    assert one.brackets is not None
    ours, theirs = [], []
    for gold, system in zip(map(tree, golds), map(tree, systems), strict=True):
        found = RefNode("") if first_difference(gold, system, choice) else system
        both = reference.compared(gold, found, choice, labelled=True)
        ours += both[0]
        theirs += both[1]
    labels = {bracket.label for bracket in (*ours, *theirs)}
    by_label = one.brackets.items_by_label
    assert by_label == {label: reference.items(ours, theirs, label.__eq__) for label in labels}
    sizes = [items["TTB"] for items in by_label.values()]
    assert sizes == sorted(sizes, reverse=True)
    whole = reference.items(ours, theirs)
    assert reference.summed(by_label.values()) == (whole if by_label else {})
    assert set(one.by["label"]) == labels
    for label, scores in one.by["label"].items():
        items = by_label[label]
        assert scores["Labelled F1"].gold == items["TTB"]
        assert scores["Labelled F1"].value == 2 * items["EM"] / (items["TTB"] + items["TPB"])
        assert ("Recall-hard" in scores) == bool(items["TTB"])
        assert not items["TTB"] or scores["Recall-hard"].value == items["EM"] / items["TTB"]
        assert not {"Complete Match", "Unlabelled F1", "Average Crossing", "Tagging Accuracy"} & set(scores)


def test_with_a_label_pattern_only_such_labels_are_split_off(tag_file: Path) -> None:
    golds, systems = ["(S (NP (X a) (X b)) (VP (X c) (X d)))"], ["(S (NP (X a) (X b)) (X c) (X d))"]
    one = scored(golds, systems, Choice(label="NP,VP"), tag_file, by="label")
    assert one.brackets is not None
    assert list(one.by["label"]) == list(one.brackets.items_by_label) == ["NP", "VP"]


def test_sentences_are_split_by_length_with_punctuation_and_without_traces(tag_file: Path) -> None:
    rng = random.Random(8)
    golds, systems = [], []
    for n in (1, 9, 10, 11, 20, 21, 30, 31, 40, 41, 60):
        words = [Leaf(*rng.choice((*WORDS, *PUNCTUATION))) for _ in range(n)]
        golds.append(random_tree(rng, [Leaf("-NONE-", "*"), *words, Leaf("-NONE-", "0")]))
        systems.append(random_tree(rng, words))
    groups = {"1–10": slice(3), "11–20": slice(3, 5), "21–30": slice(5, 7), "31–40": slice(7, 9), "41+": slice(9, 11)}
    one = scored(golds, systems, Choice(), tag_file, by="length")
    assert list(one.by["length"]) == list(groups)
    assert one.brackets is not None
    assert one.brackets.n_up_to_cutoff == 9
    for name, chosen in groups.items():
        pairs = zip(golds[chosen], systems[chosen], strict=True)
        total = reference.summed(
            reference.sentence_values(tree(gold), tree(system), Choice()) for gold, system in pairs
        )
        found = {measure: score.value for measure, score in one.by["length"][name].items()}
        for measure, value in reference.measures(total).items():
            if value is not None:
                assert found[measure] == pytest.approx(value, abs=1e-12), (name, measure)


def test_files_of_a_list_are_documents(tmp_path: Path) -> None:
    rng = random.Random(5)
    wanted = {}
    paths: dict[str, list[str]] = {"gold": [], "system": []}
    for number in range(3):
        golds, systems = random_pairs(rng, 6, differing=False)
        for side, lines in (("gold", golds), ("system", systems)):
            path = tmp_path / f"{side}{number}.ptb"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            paths[side].append(str(path))
        values = map(reference.sentence_values, map(tree, golds), map(tree, systems), [Choice()] * 6)
        wanted[paths["gold"][-1]] = reference.summed(values)
    found = karat.score(paths["gold"], [paths["system"]], by="document", intervals=False)
    split = found.systems[0].by["document"]
    assert list(split) == paths["gold"]
    for document, total in wanted.items():
        assert split[document]["Labelled F1"].gold == total["labelled gold"]
        for measure, value in reference.measures(total).items():
            if value is not None and measure in split[document]:
                assert split[document][measure].value == pytest.approx(value, abs=1e-12), measure


@pytest.mark.parametrize("split", ["document", "length"])
def test_what_has_nothing_to_divide_by_in_a_group_has_no_value_there(tmp_path: Path, split: str) -> None:
    """The first sentence has no crossing bracket, so of its P-inheritance there is nothing to say."""
    right, wrong = "(S (NP (X a) (X b)) (X c))", "(S (X a) (NP (X b) (X c)))"
    rest = "".join(f" (X w{number})" for number in range(12))
    long, wrong_long = (f"(S {one}{rest})" for one in (right, wrong))
    for name, first, second in (("gold", right, long), ("system", right, wrong_long)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.ptb").write_text(first, encoding="utf-8")
        (tmp_path / name / "2.ptb").write_text(second, encoding="utf-8")
    chosen = karat.BracketOptions(cutoff=10)
    found = karat.score(tmp_path / "gold", tmp_path / "system", brackets=chosen, by=split, intervals=False)
    one = found.systems[0]
    first_group, second_group = one.by[split].values()
    assert second_group["P-inheritance"].value == 0
    assert "P-inheritance" not in first_group
    assert one.brackets is not None
    assert "P-inheritance" not in one.brackets.up_to_cutoff


# --- words that differ ---


@given(st.integers(0, 10**9), st.sampled_from(("penn", "unicode", "none", "file")))
@settings(max_examples=60)
def test_other_words_are_an_error_that_names_sentence_and_first_difference(
    tag_file: Path, seed: int, punctuation: str
) -> None:
    choice = Choice(punctuation, tags=FILE_TAGS if punctuation == "file" else frozenset())
    golds, systems = random_pairs(random.Random(seed), 8)
    differences = [first_difference(tree(a), tree(b), choice) for a, b in zip(golds, systems, strict=True)]
    wanted = [
        f"sentence {number}: word {one.place} is {shown(one.theirs)} where the gold has {shown(one.ours)}"
        for number, one in enumerate(differences, start=1)
        if one is not None
    ]
    chosen = options(choice, tag_file)
    if not wanted:
        karat.score(read(golds), read(systems), brackets=chosen, intervals=False)
        return
    with pytest.raises(DataError) as error:
        karat.score(read(golds), read(systems), brackets=chosen, intervals=False)
    assert [problem.message for problem in error.value.problems] == wanted
    assert {problem.code for problem in error.value.problems} == {"K713"}
    lines = [number for number, one in enumerate(differences, start=1) if one is not None]
    assert [problem.line for problem in error.value.problems] == lines


def shown(word: str | None) -> str:
    return "no word" if word is None else repr(word)


def test_the_place_of_a_difference_is_that_of_the_word() -> None:
    gold, system = "(S (X a) (, ,) (X b))\n(S (X c) (X d))", "(S (X a) (X b))\n(S (X c)\n  (X e))"
    with pytest.raises(DataError) as error:
        karat.score(read(gold), read(system, "system.ptb"))
    assert str(error.value) == "system.ptb:3:6: K713 sentence 2: word 2 is 'e' where the gold has 'd'"
    assert len(error.value.problems) == 1  # the comma is dropped on both sides


def test_with_skip_bad_a_sentence_of_other_words_has_no_system_brackets_and_stays_in_the_test() -> None:
    gold = "(S (NP (X a) (X b)) (X c))\n(S (NP (X a) (X b)) (X c))"
    system = "(S (NP (X a) (X b)) (X c))\n(S (NP (X a) (X b)) (X d))"
    one = karat.score(read(gold), read(system), skip_bad=True, intervals=False).systems[0]
    assert one.brackets is not None
    assert [one.brackets.items[item] for item in ("TTB", "TPB", "EM")] == [4, 2, 2]
    assert one["Recall-hard"].value == one["No Crossing"].value == one["Complete Match"].value == 0.5
    assert one["Tagging Accuracy"].value == 0.5
    assert (one.skipped.system, one.brackets.n_missing) == (1, 0)
    assert [problem.code for problem in one.skipped.problems] == ["K713"]


def test_a_bad_gold_tree_leaves_the_test_and_is_no_fault_of_the_system(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.ptb", tmp_path / "system.ptb"
    gold.write_text("(S (X a) (X b)\n(S (X c) (X d))\n", encoding="utf-8")
    system.write_text("(S (X a) (X b))\n(S (X c) (X d))\n", encoding="utf-8")
    one = karat.score(gold, system, skip_bad=True, intervals=False).systems[0]
    assert (one.skipped.gold, one.skipped.system) == (1, 0)
    assert [problem.code for problem in one.skipped.problems] == ["K702"]
    assert one.brackets is not None
    assert one.brackets.items["TTB"] == one.brackets.items["EM"] == 1
    assert one.brackets.values["sentences"].tolist() == [1]


def test_a_gold_tree_that_is_not_utf_8_is_in_no_count(tmp_path: Path) -> None:
    """Its words and brackets can be told, but it is bad: it leaves the test, by label too."""
    gold, system = tmp_path / "gold.ptb", tmp_path / "system.ptb"
    gold.write_bytes(b"(S (NP (X a\xff) (X b)) (X c))\n(S (X c) (X d))\n")
    system.write_bytes(b"(())\n(S (X c) (X d))\n")
    one = karat.score(gold, system, skip_bad=True, by="label", intervals=False).systems[0]
    assert [problem.code for problem in one.skipped.problems] == ["K106"]
    assert one.brackets is not None
    assert one.brackets.items["TTB"] == 1
    assert {label: items["TTB"] for label, items in one.brackets.items_by_label.items()} == {"S": 1}
    assert one.by["label"]["S"]["Labelled F1"].gold == 1


def test_another_number_of_trees_is_an_error() -> None:
    with pytest.raises(DataError, match="K712 1 tree where the gold has 2"):
        karat.score(read("(S (X a))\n(S (X b))"), read("(S (X a))"))


# --- missing parses, by hand ---


def test_a_missing_parse_counts_as_producing_nothing() -> None:
    gold = read("(S (NP (X a) (X b)) (X c))\n(S (X a) (VP (X b) (X c)))\n(UH oh)")
    one = karat.score(gold, read("(S (NP (X a) (X b)) (X c))\n(())\n()"), intervals=False)
    found = one.systems[0]
    assert found.brackets is not None
    assert [found.brackets.items[item] for item in ("TTB", "TPB", "EM", "CE")] == [4, 2, 2, 0]
    assert found["Recall-hard"].value == 0.5
    assert found["Precision-hard"].value == 1.0
    for name in ("Complete Match", "No Crossing", "Two or Fewer Crossing", "Sentence Accuracy"):
        assert found[name].value == pytest.approx(1 / 3), name
    assert found["Tagging Accuracy"].value == 3 / 7
    assert found.brackets.n_missing == 2
    assert dict(found.brackets.crossings) == {"0": 1, "1": 0, "2": 0, "more": 0}
    assert any("2 missing parses count as producing nothing" in warning for warning in one.warnings)
    assert any("Generation Rate below 0.9" in warning for warning in one.warnings)


@pytest.mark.parametrize("gold", ["(S (NP (-NONE- *)) (-NONE- 0))", "(S (, ,))", "(())"])
def test_a_missing_parse_is_no_match_for_a_gold_without_words(gold: str) -> None:
    found = karat.score(read(["(UH oh)", gold]), read(["(UH oh)", "()"]), intervals=False).systems[0]
    for name in ("Complete Match", "No Crossing", "Two or Fewer Crossing"):
        assert found[name].value == 0.5, name


def test_a_system_that_parses_nothing_has_undefined_rates_and_a_recall_of_0() -> None:
    found = karat.score(read("(S (X a) (X b))"), read("()"), intervals=False).systems[0]
    assert found["Recall-hard"].value == found["Labelled F1"].value == found["Complete Match"].value == 0
    assert found.brackets is not None
    assert {"Crossing Rate", "Bracketing Accuracy", "P-inheritance", "T-inheritance"} <= set(found.brackets.undefined)


# --- properties ---


@given(st.integers(0, 10**9), st.sampled_from(every_choice()))
@settings(max_examples=60)
def test_items_add_up(tag_file: Path, seed: int, choice: Choice) -> None:
    one = scored(*random_pairs(random.Random(seed), 6), choice, tag_file).brackets
    assert one is not None
    items = {name: one.values[name] for name in reference.ITEMS}
    assert (items["EM"] + items["CE"] + items["SP"] == items["TPB"]).all()
    assert (items["PINH"] + items["PNINH"] == items["CE"]).all()
    assert (items["TINH"] + items["TNINH"] == items["EM"]).all()
    assert (items["EM"] <= items["TTB"]).all()


@given(st.integers(0, 10**9), st.sampled_from(every_choice()))
@settings(max_examples=60)
def test_the_gold_against_itself_has_only_exact_matches(tag_file: Path, seed: int, choice: Choice) -> None:
    golds, _ = random_pairs(random.Random(seed), 6)
    one = scored(golds, golds, choice, tag_file)
    assert one.brackets is not None
    items = one.brackets.items
    assert items["EM"] == items["TTB"] == items["TPB"] == items["EMA"]
    assert items["CE"] == items["SP"] == items["PINH"] == items["PNINH"] == items["EMR"] == 0
    for name, score in one.measures.items():
        if name != "T-inheritance":
            is_error = BRACKET_MEASURES[name].lower_is_better or name in ("Spuriousness", "P-inheritance")
            assert score.value == (0 if is_error else 1), name


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
@settings(max_examples=60)
def test_swapping_sides_swaps_precision_and_recall(tag_file: Path, seed: int, labelled: bool, merge: bool) -> None:
    rng = random.Random(seed)
    choice = Choice(labelled=labelled, merge_doubled=merge)
    words = [random_words(rng) for _ in range(6)]
    golds, systems = ([random_tree(rng, with_traces(rng, some)) for some in words] for _ in range(2))
    there, back = scored(golds, systems, choice, tag_file), scored(systems, golds, choice, tag_file)
    for kind in ("Labelled", "Unlabelled"):
        assert there[f"{kind} Precision"].value == back[f"{kind} Recall"].value
        assert there[f"{kind} Recall"].value == back[f"{kind} Precision"].value
        assert there[f"{kind} F1"].value == back[f"{kind} F1"].value
    assert there["Recall-hard"].value == back["Precision-hard"].value
    for name in ("Complete Match", "Tagging Accuracy"):
        assert there[name].value == back[name].value


@given(st.integers(0, 10**9), st.sampled_from([one for one in every_choice() if not one.label]))
@settings(max_examples=60)
def test_a_system_s_tags_change_nothing_but_tagging_accuracy(tag_file: Path, seed: int, choice: Choice) -> None:
    """Where words are the same, the gold says which are punctuation; traces must stay traces."""
    golds, systems = random_pairs(random.Random(seed), 6)
    pairs = [(gold, system) for gold, system in zip(golds, systems, strict=True) if same_words(gold, system)]
    golds, systems = [gold for gold, _ in pairs], [system for _, system in pairs]
    if not pairs:
        return
    rng = random.Random(seed + 1)
    retagged = []
    for system in systems:
        root = tree(system)
        for leaf in reference.leaves(root):
            if leaf.label != "-NONE-":
                leaf.label = rng.choice((*PUNCTUATION, *WORDS))[0]
        retagged.append(written(root))
    before, after = scored(golds, systems, choice, tag_file), scored(golds, retagged, choice, tag_file)
    assert before.brackets is not None
    assert after.brackets is not None
    for name, counts in before.brackets.values.items():
        if name != "right tags":
            assert after.brackets.values[name].tolist() == counts.tolist(), name


def same_words(gold: str, system: str) -> bool:
    ours, theirs = (
        [leaf.form for leaf in reference.leaves(tree(one)) if leaf.label != "-NONE-"] for one in (gold, system)
    )
    return ours == theirs


def written(node: RefNode) -> str:
    if node.form is not None:
        return f"({node.label} {node.form})"
    return f"({node.label} {' '.join(map(written, node.children))})"


def test_retagged_punctuation_costs_a_tag_and_no_bracket() -> None:
    gold = read("(S (NP (X a) (, ,) (X b)) (VP (X c) (X d)) (. .))")
    one = karat.score(gold, read("(S (NP (X a) (NN ,) (X b)) (VP (, c) (X d)) (X .))"), intervals=False)
    assert one["Labelled F1"].value == one["Complete Match"].value == 1
    assert one["Tagging Accuracy"].value == 0.75  # of a b c d; the gold's punctuation does not count
    # a word more, and each side says itself what is punctuation: the system's b and the gold's c differ
    with pytest.raises(DataError, match=r"K713 sentence 1: word 2 is 'c' where the gold has 'b'"):
        karat.score(gold, read("(S (NP (X a) (, ,) (, b)) (VP (X c) (X d)) (. .) (. .))"))


@given(st.integers(0, 10**9), st.sampled_from(every_choice()), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_totals_do_not_depend_on_the_order_of_sentences(
    tag_file: Path, seed: int, choice: Choice, rng: random.Random
) -> None:
    pairs = list(zip(*random_pairs(random.Random(seed), 8), strict=True))
    before = scored([a for a, _ in pairs], [b for _, b in pairs], choice, tag_file)
    rng.shuffle(pairs)
    after = scored([a for a, _ in pairs], [b for _, b in pairs], choice, tag_file)
    assert before.brackets is not None
    assert after.brackets is not None
    assert before.brackets.items == after.brackets.items
    assert {name: one.value for name, one in before.measures.items()} == {
        name: one.value for name, one in after.measures.items()
    }


@given(st.integers(0, 10**9), st.sampled_from([one for one in every_choice() if not one.label]))
@settings(max_examples=40)
def test_a_pattern_of_all_labels_gives_the_labelled_items(tag_file: Path, seed: int, choice: Choice) -> None:
    golds, systems = random_pairs(random.Random(seed), 6)
    every = scored(golds, systems, replace(choice, label="*"), tag_file).brackets
    labelled = scored(golds, systems, replace(choice, labelled=True), tag_file).brackets
    assert every is not None
    assert labelled is not None
    for name, counts in every.values.items():
        assert counts.tolist() == labelled.values[name].tolist(), name


@given(st.integers(0, 10**9), st.sampled_from([one for one in every_choice() if one.drop_empty and not one.label]))
@settings(max_examples=80)
def test_prepared_trees_prepared_again_have_the_same_items(tag_file: Path, seed: int, choice: Choice) -> None:
    golds, systems = random_pairs(random.Random(seed), 8, differing=False)
    again = [
        reference.prepared_pair(tree(gold), tree(system), choice) for gold, system in zip(golds, systems, strict=True)
    ]
    if all(gold == "(())" for gold, _ in again):
        return
    before = scored(golds, systems, choice, tag_file).brackets
    after = scored([gold for gold, _ in again], [system for _, system in again], choice, tag_file).brackets
    assert before is not None
    assert after is not None
    for item in reference.ITEMS:
        assert before.values[item].tolist() == after.values[item].tolist(), item


def test_of_errors_fewer_are_better_and_of_all_else_more() -> None:
    fewer = {name for name, measure in BRACKET_MEASURES.items() if measure.lower_is_better}
    assert fewer == {"Average Crossing", "Crossing Rate"}
    neutral = {name for name, measure in BRACKET_MEASURES.items() if measure.is_neutral}
    assert neutral == {one.name for one in PARSER_MEASURES if not one.name.startswith(("Recall", "Precision"))}
    assert {name for name, measure in BRACKET_MEASURES.items() if not measure.is_share} == {
        "Average Crossing", "Generation Rate", "Recall-soft",
    }  # fmt: skip


# --- how it is called ---


def test_score_knows_brackets_by_content_and_by_name(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold", tmp_path / "system"
    gold.write_text("(S (NP (X a) (X b)) (X c))\n", encoding="utf-8")
    system.write_text("(S (X a) (NP (X b) (X c)))\n", encoding="utf-8")
    named = karat.score(gold, system)
    for found in (
        karat.score(gold, system),
        karat.score(gold, system, input="brackets"),
        karat.score(read(gold.read_text()), system),
    ):
        assert {name: one.value for name, one in found.systems[0].measures.items()} == {
            name: one.value for name, one in named.systems[0].measures.items()
        }
    assert karat.score(gold, system).signature == named.signature
    with pytest.raises(UsageError, match="cannot be used with bracketed trees"):
        karat.score(gold, system, confusions="upos")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"by": "deprel"}, "no split of trees by 'deprel'"),
        ({"measures": "LAS"}, "LAS"),
        ({"measures": []}, "no measure was named"),
        ({"brackets": karat.BracketOptions(cutoff=0)}, "cutoff 0"),
        ({"brackets": karat.BracketOptions(punctuation="commas")}, "punctuation 'commas'"),
    ],
)
def test_what_does_not_exist_is_a_usage_error(choices: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        karat.score(read("(S (X a))"), read("(S (X a))"), **choices)  # type: ignore[arg-type]


def test_a_file_of_punctuation_without_a_tag_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tags").write_text("\n", encoding="utf-8")
    chosen = karat.BracketOptions(punctuation=tmp_path / "tags")
    with pytest.raises(DataError, match="K104"):
        karat.score(read("(S (X a))"), read("(S (X a))"), brackets=chosen)


def test_a_measure_that_a_label_pattern_rules_out_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="Complete Match"):
        karat.score(
            read("(S (X a))"), read("(S (X a))"), measures="Complete Match", brackets=karat.BracketOptions(label="NP")
        )


def test_the_signature_names_every_switch(tag_file: Path) -> None:
    trees_ = read("(S (X a) (X b))")
    before = karat.score(trees_, trees_, intervals=False).signature
    for choice in (
        Choice("unicode"), Choice("none"), Choice("file", tags=FILE_TAGS), Choice(drop_empty=False),
        Choice(merge_doubled=False), Choice(drop_one_word=False), Choice(labelled=True), Choice(label="NP"),
    ):  # fmt: skip
        found = karat.score(trees_, trees_, brackets=options(choice, tag_file), intervals=False)
        assert found.signature != before
    assert karat.score(trees_, trees_, brackets=karat.BracketOptions(cutoff=9), intervals=False).signature != before


def test_the_reference_reads_what_karat_reads() -> None:
    """That both count the same trees: a text with all kinds of them."""
    golds, systems = random_pairs(random.Random(3), 60)
    text = "\n".join((*golds, *systems))
    ours, theirs = read(text), trees(text)
    assert ours.n_trees == len(theirs) == 120
    for number, root in enumerate(theirs):
        assert list(ours.words_of(number)) == [leaf.form for leaf in reference.leaves(root)]
