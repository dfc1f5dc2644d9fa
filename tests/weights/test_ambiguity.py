"""Weights by ambiguity: averages by hand, by a plain reference, and Morfeusz's on real text."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import karat
from karat.errors import DataError, UsageError
from karat.tagsets import read_tagset
from karat.tagsets.morfeusz import morfeusz_tags
from karat.weights import Weights, read_weights, weights_text
from karat.weights.ambiguity import PER, Per, ambiguity
from karat.weights.from_ambiguity import ambiguity_weights
from realdata import data

NKJP = read_tagset("nkjp")
TAGS = {
    "dom": ["subst:sg:nom:m3", "subst:sg:acc:m3"],
    "zadanie": ["subst:sg:nom:n", "subst:sg:acc:n", "ger:sg:nom:n:perf:aff", "ger:sg:acc:n:perf:aff"],
    "i": ["conj", "part"],
    "xyz": [],
}
FORMS = {"dom": 2, "zadanie": 1, "i": 1, "xyz": 3}


def test_averages_by_hand() -> None:
    found = ambiguity(FORMS, TAGS.__getitem__, NKJP)
    assert (found.n_words, found.n_unknown) == (4, 3)
    assert found.tags == (2 * 2 + 4 + 2) / 4
    assert found.absolute["pos"] == (2 * 1 + 2 + 2) / 4
    assert found.absolute["case"] == (2 * 2 + 2) / 3  # of three words that bear it
    assert found.absolute["aspect"] == 1
    assert found.conditional["ger"] == {"pos": 2, "number": 1, "case": 2, "gender": 1, "aspect": 1, "negation": 1}
    assert found.conditional["subst"]["pos"] == (1 + 1 + 2) / 3
    over_all = ambiguity(FORMS, TAGS.__getitem__, NKJP, per="word")
    assert over_all.absolute["case"] == (2 * 2 + 2) / 4
    assert ambiguity(FORMS, TAGS.__getitem__, NKJP, per="excess").absolute["case"] == (2 * 1 + 1) / 3


def test_tags_of_another_tagset_count_for_nothing_and_are_told() -> None:
    found = ambiguity({"a": 1, "b": 1}, {"a": ["conj", "noun"], "b": ["x"]}.__getitem__, NKJP)
    assert (found.tags, found.n_words, found.n_unknown, set(found.bad)) == (1, 1, 1, {"noun", "x"})
    with pytest.raises(UsageError):
        ambiguity({"b": 1}, {"b": ["x"]}.__getitem__, NKJP)


every_tag = sorted(
    {tag for tags in TAGS.values() for tag in tags} | {"adj:sg:nom:m1:pos", "adj:pl:acc:f.n:com", "fin:sg:ter:perf"}
)


@given(
    st.lists(st.tuples(st.integers(1, 4), st.sets(st.sampled_from(every_tag), max_size=5)), min_size=1, max_size=6),
    st.sampled_from(PER),
)
def test_averages_are_those_of_the_definition(words: list[tuple[int, set[str]]], per: Per) -> None:
    forms = {f"w{number}": times for number, (times, _) in enumerate(words)}
    tags = {f"w{number}": sorted(of) for number, (_, of) in enumerate(words)}
    tokens = [[NKJP.parse(tag) for tag in of] for times, of in words for _ in range(times) if of]
    if not tokens:
        return
    found = ambiguity(forms, tags.__getitem__, NKJP, per=per)
    for category in ("pos", "number", "case", "gender", "aspect", "degree"):
        numbers = [
            len(
                {tag.pos for tag in one}
                if category == "pos"
                else {v for tag in one for v in tag.values.get(category, ())}
            )
            for one in tokens
        ]
        bearing = [n for n in numbers if n]
        if not bearing:
            assert category not in found.absolute
            continue
        expected = {
            "bearing": Fraction(sum(bearing), len(bearing)),
            "word": Fraction(sum(numbers), len(numbers)),
            "excess": Fraction(sum(n - 1 for n in bearing), len(bearing)),
        }[per]
        assert found.absolute[category] == pytest.approx(float(expected))


def test_morfeusz_on_pdb_is_as_ambiguous_as_it_should_be() -> None:
    pytest.importorskip("morfeusz2")
    path = data("ud-2.18/UD_Polish-PDB/pl_pdb-ud-dev.conllu")
    forms = Counter(karat.read_conllu(path, trees=False).column("form").strings())
    found = ambiguity(forms, morfeusz_tags(), NKJP)
    assert found.bad == {}
    assert found.tags == pytest.approx(4.04, abs=0.05)
    expected = {"case": 2.53, "gender": 1.98, "number": 1.27, "pos": 1.40}
    assert {name: found.absolute[name] for name in expected} == pytest.approx(expected, abs=0.05)
    gender = {pos: table["gender"] for pos, table in found.conditional.items() if "gender" in table}
    assert gender["adj"] > gender["subst"] + 1
    assert gender["ger"] == 1


def test_a_corpus_is_its_own_lexicon_unless_there_is_another(tmp_path: Path) -> None:
    corpus, lexicon = tmp_path / "c.tsv", tmp_path / "l.tsv"
    corpus.write_text("dom\tsubst:sg:nom:m3\ndom\tsubst:sg:acc:m3\n\ni\tconj\n", encoding="utf-8")
    lexicon.write_text("dom\tsubst:sg:nom:m3\tsubst:sg:acc:m3\tsubst:pl:nom:m3\n", encoding="utf-8")
    own = ambiguity_weights(corpus, input="tsv")
    assert own.absolute == {"pos": 1, "number": 1, "case": 2, "gender": 1}
    assert "1.67 tags per word on 3 words; 0 have no analysis" in own.notes[0]
    other = ambiguity_weights(corpus, lexicon=[lexicon], input="tsv", conditional=True)
    assert other.absolute == {}
    assert other.conditional == {"subst": {"pos": 1, "number": 2, "case": 2, "gender": 1}}
    assert "1 have no analysis" in other.notes[0]


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), st.floats(0, 1e9), max_size=4),
    st.dictionaries(
        st.text(max_size=5), st.dictionaries(st.text(max_size=5), st.floats(0.001, 9), max_size=3), max_size=3
    ),
    st.text(max_size=20),
)
def test_weights_come_back_from_their_file(
    tmp_path_factory: pytest.TempPathFactory,
    absolute: dict[str, float],
    conditional: dict[str, dict[str, float]],
    made: str,
) -> None:
    if not any([*absolute.values(), *(value for table in conditional.values() for value in table.values())]):
        return  # such a file is refused
    weights = Weights("w", absolute, conditional, made, "nkjp")
    path = tmp_path_factory.mktemp("w") / "w.toml"
    path.write_text(weights_text(weights), encoding="utf-8", newline="\n")
    found = read_weights(path)
    assert (found.name, found.absolute, found.conditional, found.made) == ("w", absolute, conditional, made)


def test_a_text_without_ambiguity_has_no_weights(tmp_path: Path) -> None:
    (tmp_path / "text.tagged").write_text("dom\tsubst:sg:nom:m3\n", encoding="utf-8")
    assert ambiguity_weights(tmp_path / "text.tagged").absolute["case"] == 1
    with pytest.raises(UsageError, match="no word has two values of a category"):
        ambiguity_weights(tmp_path / "text.tagged", per="excess")


def test_weights_whose_sum_would_be_infinite_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text('schema = "karat/weights/1"\n[weights]\npos = 1e308\ncase = 1e308\n', encoding="utf-8")
    with pytest.raises(DataError, match="K811"):
        read_weights(path)
