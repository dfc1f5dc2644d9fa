"""How well annotators agree: equations by hand, slow references, other tools, intervals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import cohen_kappa_score

import agreement_reference as reference
import karat
from examples import conllu, sentence, sentence_of_tokens
from karat._arrays import Floats, Indices
from karat.agreement import coefficients as measure
from karat.agreement.agree import agree
from karat.agreement.agreement_results import Agreement
from karat.agreement.annotations import Annotation, annotation_from_entries
from karat.agreement.coefficients import AgreementCounts, agreement_counts
from karat.corpus import source_from_bytes
from karat.corpus.readers.key import Keys, key_from_source
from karat.errors import DataError, UsageError
from karat.hierarchy import Hierarchy, hierarchy_from_text
from karat.inference.options import InferenceOptions
from karat.measures.agreement import AGREEMENT_MEASURES
from realdata import data

COEFFICIENTS = [one.name for one in AGREEMENT_MEASURES]

TREE = "A\n A.1\n  A.1a\n  A.1b\n A.2\nB\n B.1\n B.2\n B.3\n"
TAGS = ["A", "A.1", "A.1a", "A.1b", "A.2", "B", "B.1", "B.2", "B.3"]
EWT = "ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu"
NO_INTERVALS = InferenceOptions(n_resamples=0)


@pytest.fixture(scope="module")
def tree() -> Hierarchy:
    return hierarchy_from_text(TREE)


def key(*answers: str | None) -> Keys:
    """A key of one word type; the i-th instance has these tags, or none at all."""
    lines = [f"line.n line.n.{number} {tags}\n" for number, tags in enumerate(answers) if tags is not None]
    return key_from_source(source_from_bytes("".join(lines).encode(), "made.key"), lexelts=True)


def agreed(*annotators: Keys, hierarchy: Hierarchy | None = None) -> Agreement:
    named = {f"ann{number}": one for number, one in enumerate(annotators)}
    return agree(named, hierarchy=hierarchy, inference=NO_INTERVALS)


def coded(rows: Indices, n_leaves: int) -> list[Annotation]:
    """Annotations of single tags, -1 where there is none."""
    found = []
    for row in rows:
        items = np.flatnonzero(row >= 0)
        ones = np.ones(len(items))
        found.append(annotation_from_entries(items, row[items], ones, n_items=len(row), n_leaves=n_leaves))
    return found


def values(counts: AgreementCounts, weights: Indices | None = None) -> list[float]:
    total = counts.counts.sum(axis=0) if weights is None else weights @ counts.counts
    return [float(getattr(counts, name)(total)) for name in COEFFICIENTS]


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_two_annotators_who_both_write_a_agree_three_eighths(tree: Hierarchy) -> None:
    # A is A.1a 1/4, A.1b 1/4, A.2 1/2: 1/16 + 1/16 + 1/4 = 3/8
    found = agreed(key("A"), key("A"), hierarchy=tree)
    assert found["observed"] == pytest.approx(3 / 8, abs=1e-15)
    # Pr(l) is the same distribution, so chance is 3/8 as well: (3/8 − 3/8) / (5/8) = 0
    assert found["kappa_pooled"] == pytest.approx(0, abs=1e-15)
    assert found["alpha"] is None  # nothing varies
    assert "the same" in found.coefficients["alpha"].why


def test_kappa_and_alpha_over_figure_1_by_hand(tree: Hierarchy) -> None:
    found = agreed(key("A", "B.1"), key("A", "B"), hierarchy=tree)
    # eq. 4: (3/8 + 1/3) / 2 = 17/48
    assert found["observed"] == pytest.approx(17 / 48)
    # pooled: A.1a 1/8, A.1b 1/8, A.2 1/4, B.1 (1 + 1/3)/4 = 1/3, B.2 and B.3 1/12 each
    chance = 1 / 64 + 1 / 64 + 1 / 16 + 1 / 9 + 1 / 144 + 1 / 144
    assert found["kappa_pooled"] == pytest.approx((17 / 48 - chance) / (1 - chance))
    # Cohen: A.1a 1/8·1/8 twice, A.2 1/4·1/4, B.1 1/2·1/6
    chance = 1 / 64 + 1 / 64 + 1 / 16 + 1 / 12
    assert found["kappa_cohen"] == pytest.approx((17 / 48 - chance) / (1 - chance))
    # distances: A,A 0; B.1,B 2/3. Observed: (0 + 2/3) / 2 = 1/3. Expected: of 12 ordered pairs of the annotations
    # A, A, B.1, B the two of A,A have 0, the two of B.1,B 2/3 and eight 1: (4/3 + 8) / 12 = 7/9
    assert found["alpha"] == pytest.approx(1 - (1 / 3) / (7 / 9))


def test_several_tags_are_uniform_and_probabilities_are_made_to_sum_to_one() -> None:
    # 1/2 x, 1/2 y against x 3/4, y 1/4: Σ p·q = 3/8 + 1/8; distance 1/4
    found = agreed(key("x y"), key("x/3 y/1"))
    assert found["observed"] == pytest.approx(1 / 2)
    assert found.hardest[0].distance == pytest.approx(1 / 4)


def test_flat_tags_by_hand_with_a_missing_annotation() -> None:
    found = agreed(key("x", "x", "y", "y", "x"), key("x", "y", "y", "y", None))
    assert found["observed"] == pytest.approx(3 / 4)
    assert found["kappa_pooled"] == pytest.approx((3 / 4 - 34 / 64) / (30 / 64))  # x 3/8, y 5/8
    assert found["kappa_cohen"] == pytest.approx((3 / 4 - 1 / 2) / (1 / 2))  # 1/2·1/4 + 1/2·3/4
    assert found["alpha"] == pytest.approx(1 - (1 / 4) / (30 / 56))  # 2·3·5 of 8·7 ordered pairs differ
    assert (found.n_items, found.n_all, found.missing) == (4, 5, {"ann0": 0, "ann1": 1})


def test_tag_by_tag_agreement_and_confusions_by_hand() -> None:
    found = agreed(key("x", "x", "y", "z"), key("x", "y", "y", "y"))
    assert {one.tag: (one.used, one.agreement) for one in found.per_tag} == {
        "x": (3, pytest.approx(2 / 3)),
        "y": (4, pytest.approx(2 / 4)),
        "z": (1, 0),
    }
    assert [(one.a, one.b, one.count, one.first_has_a) for one in found.confusions] == [
        ("x", "y", 1, 1),
        ("y", "z", 1, 0),
    ]
    assert [one.place.name for one in found.hardest] == ["line.n.1", "line.n.3"]


def test_what_annotators_have_in_common_is_no_confusion() -> None:
    found = agreed(key("x y", "x y"), key("x y", "x z"))
    assert [(one.a, one.b, one.count) for one in found.confusions] == [("y", "z", 0.5)]


def test_a_tag_is_agreed_on_as_far_as_both_are_at_or_below_it(tree: Hierarchy) -> None:
    found = {one.tag: one for one in agreed(key("A", "A"), key("A.1", "A"), hierarchy=tree).per_tag}
    assert found["A"].agreement == pytest.approx(1)
    # A is A.1 with 1/2: 2·(1/2·1 + 1/2·1/2) / (1/2 + 1 + 1/2 + 1/2) and 2·(1/2 + 1/2) / (5/2)
    assert found["A.1"].agreement == pytest.approx(2 * (1 / 2 + 1 / 4) / (5 / 2))
    assert found["A.1"].overlap == pytest.approx(2 * 1 / (5 / 2))
    assert (found["A"].used, found["A.1"].used) == (3, 1)


def test_confused_tags_have_the_distance_that_the_hierarchy_gives_them(tree: Hierarchy) -> None:
    (confused,) = agreed(key("A", "B"), key("A.1", "B"), hierarchy=tree).confusions
    assert (confused.a, confused.b, confused.count) == ("A", "A.1", 1)
    assert confused.distance == pytest.approx(1 / 2)


# ---- undefined -------------------------------------------------------------------------------------------------------


def test_without_common_items_nothing_is_defined() -> None:
    found = agreed(key("x", None), key(None, "x"))
    assert [one.value for one in found.coefficients.values()] == [None] * 4
    assert {one.why for one in found.coefficients.values()} == {"no item has two annotations"}
    assert (found.n_items, found.confusions, found.hardest) == (0, (), ())


def test_without_variation_only_the_observed_agreement_is_defined() -> None:
    found = agreed(key("x", "x"), key("x", "x"))
    assert [found[name] for name in COEFFICIENTS] == [1, None, None, None]
    assert not found.coefficients["observed"].why


# ---- references ------------------------------------------------------------------------------------------------------

weights = st.dictionaries(st.sampled_from(TAGS), st.integers(1, 9), min_size=1, max_size=3)


@st.composite
def annotated(draw: st.DrawFn) -> list[list[dict[str, int] | None]]:
    """What two to four annotators write of up to seven items."""
    n_annotators, n_items = draw(st.integers(2, 4)), draw(st.integers(1, 7))
    one = st.lists(st.none() | weights, min_size=n_items, max_size=n_items).filter(any)
    return [draw(one) for _ in range(n_annotators)]


def keys_of(written: list[list[dict[str, int] | None]]) -> list[Keys]:
    return [
        key(*(" ".join(f"{tag}/{weight}" for tag, weight in item.items()) if item else None for item in annotator))
        for annotator in written
    ]


def fractions_of(
    written: list[list[dict[str, int] | None]], children: dict[str, list[str]]
) -> list[list[reference.Distribution | None]]:
    return [
        [
            reference.spread_tags({tag: Fraction(n) for tag, n in item.items()}, children) if item else None
            for item in annotator
        ]
        for annotator in written
    ]


def same(found: float | None, wanted: Fraction | None) -> bool:
    if found is None or wanted is None:
        return found is None and wanted is None
    return math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-12)


@given(annotated(), st.booleans())
def test_coefficients_are_those_of_the_definitions(written: list[list[dict[str, int] | None]], is_flat: bool) -> None:
    found = agreed(*keys_of(written), hierarchy=None if is_flat else hierarchy_from_text(TREE))
    wanted = fractions_of(written, {} if is_flat else reference.FIGURE_1)
    assert same(found["observed"], reference.observed(wanted))
    assert same(found["kappa_pooled"], reference.pooled(wanted))
    assert same(found["kappa_cohen"], reference.cohen(wanted))
    assert same(found["alpha"], reference.alpha(wanted))


@pytest.mark.slow
@given(annotated())
def test_the_order_of_annotators_does_not_matter(written: list[list[dict[str, int] | None]]) -> None:
    tree = hierarchy_from_text(TREE)
    keys = keys_of(written)
    named = {f"ann{number}": one for number, one in enumerate(keys)}
    options = InferenceOptions(n_resamples=50, method="percentile", cluster="instance")
    wanted = agree(named, hierarchy=tree, inference=options)
    for names in list(permutations(named))[1:4]:
        found = agree({name: named[name] for name in names}, hierarchy=tree, inference=options)
        assert found.coefficients == wanted.coefficients
        assert [one.tag for one in found.per_tag] == [one.tag for one in wanted.per_tag]


@given(annotated())
def test_identical_annotators_have_alpha_1_or_no_variation(written: list[list[dict[str, int] | None]]) -> None:
    one = keys_of(written[:1])[0]
    found = agreed(one, one, hierarchy=hierarchy_from_text(TREE))
    assert found["alpha"] in (1, None)
    assert found.n_differing == 0
    assert found.confusions == ()
    distinct = {tuple(sorted(item.items())) for item in fractions_of(written[:1], reference.FIGURE_1)[0] if item}
    assert (found["alpha"] is None) == (len(distinct) == 1)


@given(annotated())
def test_coefficients_of_resamples_are_those_of_repeated_items(written: list[list[dict[str, int] | None]]) -> None:
    children = reference.FIGURE_1
    distributions = fractions_of(written, children)
    annotations = [_over_leaves(one) for one in distributions]
    n = len(distributions[0])
    clusters = np.arange(n) // 2
    counts = agreement_counts(annotations, clusters, n_clusters=int(clusters[-1]) + 2)
    assert counts.is_exact
    times = np.arange(counts.counts.shape[0]) % 3
    repeated = [[item for place, item in enumerate(one) for _ in range(times[place // 2])] for one in distributions]
    wanted = [getattr(reference, name)(repeated) for name in ("observed", "pooled", "cohen", "alpha")]
    found = [None if math.isnan(value) else value for value in values(counts, times)]
    assert all(same(value, want) for value, want in zip(found, wanted, strict=True))


def _over_leaves(items: list[reference.Distribution | None]) -> Annotation:
    entries = [(n, leaf, mass) for n, item in enumerate(items) if item for leaf, mass in item.items()]
    return annotation_from_entries(
        np.array([item for item, _, _ in entries], dtype=np.intp),
        np.array([(reference.LEAVES).index(leaf) for _, leaf, _ in entries], dtype=np.intp),
        np.array([float(mass) for *_, mass in entries]),
        n_items=len(items),
        n_leaves=len(reference.LEAVES),
    )


def test_splitting_a_leaf_changes_equation_4_but_not_alpha(tree: Hierarchy) -> None:
    split = hierarchy_from_text(TREE.replace(" A.2\n", " A.2\n  A.2x\n  A.2y\n"))
    written = key("A.2", "A", "B.1", "B"), key("A.2", "A.2", "B", "B.1")
    whole, parts = (agreed(*written, hierarchy=one) for one in (tree, split))
    # A.2,A.2: 1 becomes 1/4 + 1/4; A,A.2: 1/2·1 becomes 1/4·1/2 twice; B is as before
    assert whole["observed"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 3) / 4)
    assert parts["observed"] == pytest.approx((1 / 2 + 1 / 4 + 1 / 3 + 1 / 3) / 4)
    assert parts["alpha"] == pytest.approx(whole["alpha"], abs=1e-15)
    assert [one.distance for one in parts.hardest] == pytest.approx([one.distance for one in whole.hardest])


def test_in_a_dag_mass_follows_paths_or_is_even_over_distinct_leaves() -> None:
    dag = hierarchy_from_text("top\tleft\ntop\tright\nleft\tx\nleft\ty\nright\ty\nright\tz\n", layout="pairs")
    named = {"a": key("top"), "b": key("y")}
    by_paths = agree(named, hierarchy=dag, inference=NO_INTERVALS)
    evenly = agree(named, hierarchy=dag, distinct=True, inference=NO_INTERVALS)
    assert by_paths["observed"] == pytest.approx(1 / 2)  # y by two ways of 1/4
    assert evenly["observed"] == pytest.approx(1 / 3)


def test_leaves_that_nobody_tells_apart_cost_no_room_and_change_nothing() -> None:
    wide = hierarchy_from_text("a\n" + "".join(f" a{n}\n" for n in range(1000)) + "b\n b1\n b2\n")
    found = agreed(key("a", "a", "b"), key("a", "a7", "b2"), hierarchy=wide)
    assert found["observed"] == pytest.approx((1 / 1000 + 1 / 1000 + 1 / 2) / 3)
    # distances: a,a 0; a,a7 999/1000; b,b2 1/2
    assert [one.distance for one in found.hardest] == pytest.approx([999 / 1000, 1 / 2])


# ---- other tools -----------------------------------------------------------------------------------------------------


@st.composite
def codes(draw: st.DrawFn) -> Indices:
    shape = draw(st.integers(2, 5)), draw(st.integers(2, 30))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, shape[1])
    return np.where(rng.random(shape) < 0.6, truth, rng.integers(0, 4, shape))


def code_pairs(rows: Indices) -> list[tuple[Indices, Indices]]:
    return [(rows[i], rows[j]) for i in range(len(rows)) for j in range(i)]


@given(codes())
def test_cohen_s_kappa_is_scikit_learn_s(rows: Indices) -> None:
    if any(len(np.unique(pair)) == 1 for pair in code_pairs(rows)):
        return  # undefined, of which scikit-learn warns
    wanted = np.mean([cohen_kappa_score(one, other) for one, other in code_pairs(rows)])
    assert values(agreement_counts(coded(rows, 4)))[2] == pytest.approx(wanted, abs=1e-12)


@given(codes(), st.integers(0, 10**6))
def test_alpha_is_that_of_krippendorff_with_missing_data(rows: Indices, seed: int) -> None:
    rows = np.where(np.random.default_rng(seed).random(rows.shape) < 0.3, -1, rows)
    pairable = rows[:, (rows >= 0).sum(axis=0) >= 2]
    if len(np.unique(pairable[pairable >= 0])) < 2:
        return
    wanted = krippendorff.alpha(np.where(rows < 0, np.nan, rows.astype(float)), level_of_measurement="nominal")
    found = agreement_counts(coded(rows, 4), np.arange(rows.shape[1]) % 3, n_clusters=3)
    assert values(found)[3] == pytest.approx(wanted, abs=1e-12)
    assert values(agreement_counts(coded(rows, 4)))[3] == pytest.approx(wanted, abs=1e-12)


def test_real_upos_agrees_with_score_scikit_learn_and_krippendorff(tmp_path: Path) -> None:
    gold = karat.read(data(EWT))
    tags = gold.column("upos").strings()
    rng = np.random.default_rng(5)
    other = [tags[rng.integers(len(tags))] if rng.random() < 0.1 else tag for tag in tags]
    changed = iter(other)
    lines = []
    for line in data(EWT).read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if fields[0].isdigit():
            fields[3] = next(changed)
        lines.append("\t".join(fields))
    path = tmp_path / "other.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = agree({"gold": gold, "other": path})
    score = karat.score(gold, path, measures=["UPOS"], intervals=False)["UPOS"].f1
    assert found["observed"] == pytest.approx(score, abs=1e-12)
    assert found["kappa_cohen"] == pytest.approx(cohen_kappa_score(tags, other), abs=1e-12)
    number = {tag: place for place, tag in enumerate(dict.fromkeys(tags))}
    matrix = [[number[tag] for tag in one] for one in (tags, other)]
    assert found["alpha"] == pytest.approx(krippendorff.alpha(matrix, level_of_measurement="nominal"), abs=1e-12)
    interval = found.coefficients["alpha"].interval
    assert interval is not None
    assert interval.lower is not None
    assert interval.upper is not None
    assert interval.lower < (found["alpha"] or 0) < interval.upper
    assert interval.method == "t-log"


# ---- text ------------------------------------------------------------------------------------------------------------


def text_agreement(tmp_path: Path, *texts: str, column: str = "upos") -> Agreement:
    paths = {f"ann{n}": conllu(tmp_path / f"{n}.conllu", text) for n, text in enumerate(texts)}
    return agree(paths, column=column, inference=NO_INTERVALS)


def test_words_are_items_by_their_characters(tmp_path: Path) -> None:
    found = text_agreement(
        tmp_path, sentence("icecream/NOUN", "now/ADV"), sentence("ice/NOUN", "cream/NOUN", "now/ADV")
    )
    assert (found.n_all, found.n_items, found.missing) == (4, 1, {"ann0": 2, "ann1": 1})
    assert found["observed"] == 1


def test_words_in_a_multiword_token_match_plain_words_where_they_are_written_the_same(tmp_path: Path) -> None:
    found = text_agreement(tmp_path, sentence_of_tokens("cannot=can+not", "go"), sentence_of_tokens("can", "not", "go"))
    assert (found.n_items, found.n_all) == (3, 3)
    found = text_agreement(tmp_path, sentence_of_tokens("du=de+le", "go"), sentence_of_tokens("du=De+le", "go"))
    assert (found.n_items, found.n_all) == (3, 3)
    found = text_agreement(tmp_path, sentence_of_tokens("du=de+le", "go"), sentence_of_tokens("du", "go"))
    assert (found.n_items, found.n_all) == (1, 4)


def test_another_text_is_an_error_with_both_places(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"1\.conllu:2:3: K881 the text differs: 'wo' here, 'oo' at .*0\.conllu:2"):
        text_agreement(tmp_path, sentence("one", "too"), sentence("one", "two"))


def test_heads_are_steps_from_the_word_and_do_not_depend_on_how_others_cut_the_text(tmp_path: Path) -> None:
    one = sentence("we/PRON/2/nsubj", "eat/VERB/0/root", "icecream/NOUN/2/obj", "now/ADV/2/advmod")
    two = sentence("we/PRON/2/nsubj", "eat/VERB/0/root", "ice/NOUN/4/nmod", "cream/NOUN/2/obj", "now/ADV/2/obl")
    heads, las = (text_agreement(tmp_path, one, two, column=column) for column in ("heads", "las"))
    assert (heads.n_items, heads["observed"]) == (3, 1)
    head = text_agreement(tmp_path, one, two, column="head")  # as CoNLL-U calls it
    assert head.to_dict() == heads.to_dict()
    assert las["observed"] == pytest.approx(2 / 3)
    assert [(one.a, one.b) for one in las.confusions] == [("-4 advmod", "-4 obl")]


def test_no_annotation_is_missing_but_no_features_are_features(tmp_path: Path) -> None:
    text = sentence("one/NUM", "two/NUM")
    found = text_agreement(tmp_path, text, text.replace("two\ttwo\tNUM", "two\ttwo\t_"))
    assert (found.n_items, found.missing["ann1"]) == (1, 1)
    feats = text.replace("\t_\t_\t0", "\t_\tNumForm=Word\t0")
    assert text_agreement(tmp_path, feats, feats, column="feats")["alpha"] == 1


def test_a_missing_column_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="K501 the column XPOS is missing"):
        text_agreement(tmp_path, sentence("one"), sentence("one"), column="xpos")


def test_tagged_text_with_several_tags_and_probabilities(tmp_path: Path) -> None:
    one, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    one.write_text("light\tNOUN:=0.75\tADJ:=0.25\nfades\tVERB\n")
    two.write_text("light\tNOUN\tADJ\nfades\tVERB\n")
    found = agree([one, two], inference=NO_INTERVALS)
    assert found["observed"] == pytest.approx((1 / 2 + 1) / 2)
    one.write_text("light\tNOUN\t0.75\tADJ\t0.25\nfades\tVERB\t1\n")
    two.write_text("light\tNOUN\t1\nfades\tVERB\t1\n")
    found = agree([one, two], probabilities=True, inference=NO_INTERVALS)
    assert found["observed"] == pytest.approx((3 / 4 + 1) / 2)


def test_sentences_end_where_they_do_for_all(tmp_path: Path) -> None:
    whole = sentence("one", "two") + sentence("three") + sentence("four")
    joined = sentence("one") + sentence("two") + sentence("three", "four")
    found = text_agreement(tmp_path, whole, joined)
    assert (found.cluster, found.n_clusters) == ("sentence", 2)


def test_documents_are_the_clusters_if_all_mark_enough(tmp_path: Path) -> None:
    text = "".join(sentence(f"w{n}/NOUN", "x/ADV", newdoc=f"d{n}") for n in range(20))
    assert text_agreement(tmp_path, text, text).cluster == "document"
    assert text_agreement(tmp_path, text, text.replace("# newdoc", "# olddoc")).cluster == "sentence"


def test_key_files_and_text_cannot_be_mixed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be compared with text"):
        agree({"a": key("x"), "b": conllu(tmp_path / "b.conllu", sentence("one"))})


def test_one_annotator_is_too_few() -> None:
    with pytest.raises(UsageError, match="at least two"):
        agree({"a": key("x")})


def test_tags_that_are_not_in_the_hierarchy_are_named_with_their_lines(tree: Hierarchy) -> None:
    with pytest.raises(DataError) as caught:
        agreed(key("A", "C"), key("D", "C"), hierarchy=tree)
    assert [(one.code, one.line) for one in caught.value.problems] == [("K847", 1), ("K847", 2), ("K847", 2)]
    assert "'D' is not in" in str(caught.value)


# ---- intervals -------------------------------------------------------------------------------------------------------


def simulated(rng: np.random.Generator, n_clusters: int, *, size: int = 8, n_tags: int = 4) -> tuple[Indices, Indices]:
    """Two annotators who know the tag of an item with a chance that its cluster sets, and else guess."""
    clusters = np.repeat(np.arange(n_clusters), size)
    knows = rng.choice([0.6, 0.95], n_clusters)[clusters]
    truth = rng.integers(0, n_tags, len(clusters))
    rows = [np.where(rng.random(len(truth)) < knows, truth, rng.integers(0, n_tags, len(truth))) for _ in range(2)]
    return np.array(rows), clusters


@pytest.mark.parametrize("n_clusters", [30, 120])
def test_intervals_of_alpha_cover_the_truth_as_often_as_they_say(n_clusters: int) -> None:
    from karat.agreement.agree import coefficients_from_counts

    rng = np.random.default_rng(7)
    truth = (0.6**2 + 0.95**2) / 2  # both know it, else their agreement is by chance
    options = InferenceOptions(n_resamples=400)
    hits = 0
    for _ in range(200):
        rows, clusters = simulated(rng, n_clusters)
        counts = agreement_counts(coded(rows, 4), clusters, n_clusters=n_clusters)
        interval = coefficients_from_counts(counts, options, None)["alpha"].interval
        assert interval is not None
        assert interval.lower is not None
        assert interval.upper is not None
        hits += interval.lower <= truth <= interval.upper
    assert 180 <= hits <= 199  # 190 are expected; 3.2 standard errors are 10


def test_chance_to_first_order_gives_nearly_the_same_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    rows, clusters = simulated(rng, 400, n_tags=12)
    exact = agreement_counts(coded(rows, 12), clusters, n_clusters=400)
    monkeypatch.setattr(measure, "_FEWEST_KEPT", 0)
    monkeypatch.setattr(measure, "_MOST_KEPT", 3)
    rough = agreement_counts(coded(rows, 12), clusters, n_clusters=400)
    assert exact.is_exact
    assert not rough.is_exact
    assert values(rough) == pytest.approx(values(exact), abs=1e-12)
    drawn = rng.multinomial(400, np.full(400, 1 / 400), size=300).astype(np.float64)
    for name in COEFFICIENTS[1:]:
        wanted, found = (_resampled(one, name, drawn) for one in (exact, rough))
        assert np.abs(found - wanted).max() < 0.05 * wanted.std()


def _resampled(counts: AgreementCounts, name: str, drawn: Floats) -> Floats:
    found: Floats = getattr(counts, name)(drawn @ counts.counts)
    return found


def test_masses_to_first_order_are_exact_for_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    n = 40
    annotations = [
        annotation_from_entries(
            np.repeat(np.arange(n), 3),
            (rng.integers(0, 6, n)[:, None] + np.arange(3)).ravel(),
            rng.dirichlet(np.ones(3), n).ravel(),
            n_items=n,
            n_leaves=8,
        )
        for _ in range(3)
    ]
    clusters = np.arange(n) // 4
    exact = agreement_counts(annotations, clusters, n_clusters=10)
    monkeypatch.setattr(measure, "_FEWEST_KEPT", 0)
    monkeypatch.setattr(measure, "_MOST_KEPT", 0)
    rough = agreement_counts(annotations, clusters, n_clusters=10)
    assert exact.is_exact
    assert not rough.is_exact
    assert values(rough) == pytest.approx(values(exact), abs=1e-12)


def test_without_resamples_there_are_no_intervals() -> None:
    found = agreed(key("x", "y", "x"), key("x", "y", "y"))
    assert all(one.interval is None for one in found.coefficients.values())


def test_full_agreement_has_no_interval_and_says_why() -> None:
    found = agree({"a": key("x", "y"), "b": key("x", "y")}, inference=InferenceOptions(cluster="instance"))
    interval = found.coefficients["alpha"].interval
    assert interval is not None
    assert (interval.lower, interval.note) == (None, "annotators agree on every item")


def test_more_than_two_annotators_have_pairs_that_are_those_of_two_alone() -> None:
    keys = {"a": key("x", "y", "x", None), "b": key("x", "y", "y", "x"), "c": key("y", "y", "x", "x")}
    found = agree(keys, inference=NO_INTERVALS)
    assert [(one.a, one.b, one.n_items) for one in found.pairs] == [("a", "b", 3), ("a", "c", 3), ("b", "c", 4)]
    for pair in found.pairs:
        alone = agree({name: keys[name] for name in (pair.a, pair.b)}, inference=NO_INTERVALS)
        assert [getattr(pair, name) for name in COEFFICIENTS] == [alone[name] for name in COEFFICIENTS]
        assert alone.pairs == ()
