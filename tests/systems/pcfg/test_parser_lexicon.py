"""Words of a parser: P(word | tag), rare and unknown words by their looks, tags that the grammar does not know."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings, strategies as st

from karat.systems.options import PcfgOptions
from karat.systems.pcfg.lexicon import ParserLexicon, lexicon_from_counts, signatures
from karat.systems.pcfg.parser import ParseOptions, Pcfg
from karat.systems.pcfg.treebank_rules import rule_counts
from random_grammars import trees_of

# six times `oaks`, four times `ash`; once each, with the same ending: two verbs and a noun; and once `in`
TREEBANK = "\n".join(
    [
        *["(S (NP (N oaks)) (VP (V ash)))"] * 4,
        *["(S (NP (N oaks)) (VP (V oaks)))"] * 2,
        "(S (NP (N elms)) (VP (V walks)))",
        "(S (NP (N talks)) (VP (V balks) (PP (P in) (NP (N elms)))))",
    ]
)


def lexicon_of(text: str) -> ParserLexicon:
    return lexicon_from_counts(rule_counts(trees_of(text)))


def probabilities(lexicon: ParserLexicon, form: str, text: str = TREEBANK) -> dict[str, float]:
    """P(word | tag) by the names of tags, which are numbered as they come in the text."""
    names = list(dict.fromkeys(re.findall(r"\((\w+) \w+\)", text)))
    found = lexicon.tags_of(form)
    return {
        names[tag]: math.exp(score) for tag, score in zip(found.symbols.tolist(), found.scores.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("form", "looks"),
    [
        ("talks", ["-lks", "-ks", "-s", ""]),
        ("Talks", ["C-lks", "C-ks", "C-s", "C", ""]),
        ("as", ["-s", ""]),
        ("a", [""]),
        ("A", ["C", ""]),
        ("1998", ["d-998", "d-98", "d-8", "d", ""]),
        ("well-to-do", ["h--do", "h-do", "h-o", "h", ""]),
        ("-s", ["-s", ""]),
        ("B-52S", ["Cdh-52s", "Cdh-2s", "Cdh-s", "Cdh", ""]),
        ("", [""]),
    ],
)
def test_looks_are_endings_and_kinds_of_characters(form: str, looks: list[str]) -> None:
    assert signatures(form) == looks


@given(st.text(max_size=8))
@settings(max_examples=50)
def test_looks_go_from_the_most_special_to_none(form: str) -> None:
    found = signatures(form)
    assert found[-1] == ""
    assert len(set(found)) == len(found) <= 5
    assert sorted(found, key=len, reverse=True) == found or not form.isascii()  # ẞ may become two when lower


def test_a_frequent_word_is_what_it_was_in_the_treebank() -> None:
    """Of 11 words with tag N, 6 are oaks; of 8 with tag V, 2. Its ending is that of other words, and does not count."""
    lexicon = lexicon_of(TREEBANK)
    n, v = 4 + 2 + 1 + 1 + 1, 4 + 2 + 1 + 1
    assert probabilities(lexicon, "oaks") == pytest.approx({"N": 6 / n, "V": 2 / v})


def test_an_unknown_word_has_the_tags_of_rare_words_that_look_the_same() -> None:
    """`-lks` was seen three times on words seen once: twice V, once N. A word of it counts as one word in all."""
    lexicon = lexicon_of(TREEBANK)
    assert not lexicon.knows("stalks")
    assert probabilities(lexicon, "stalks") == pytest.approx({"N": 1 / 3 / 10, "V": 2 / 3 / 9})
    assert probabilities(lexicon, "jinks") == probabilities(lexicon, "stalks")  # `-nks` was not seen, `-ks` was
    # `-an` was not seen: as all four words that were seen once
    assert probabilities(lexicon, "bean") == pytest.approx({"N": 1 / 4 / 10, "V": 2 / 4 / 9, "P": 1 / 4 / 2})


def test_a_look_that_only_two_words_have_is_not_used() -> None:
    """`-lks` and `-s` are those of two words: what counts is that four words were seen once, and what they are."""
    text = "(S (N talks) (V walks))(S (N elm) (P on))"
    assert probabilities(lexicon_of(text), "stalks", text) == pytest.approx(
        {"N": 2 / 4 / 3, "V": 1 / 4 / 2, "P": 1 / 4 / 2}
    )


def test_a_rare_word_is_also_judged_by_its_looks() -> None:
    lexicon = lexicon_of(TREEBANK)
    assert lexicon.knows("walks")
    assert probabilities(lexicon, "walks") == pytest.approx({"N": 1 / 3 / 10, "V": (1 + 2 / 3) / 9})
    # `ash`, 4 times: rare; `-sh` was not seen on a word that was seen once
    assert probabilities(lexicon, "ash") == pytest.approx({"N": 1 / 4 / 10, "V": (4 + 2 / 4) / 9, "P": 1 / 4 / 2})


def test_a_word_that_was_seen_five_times_is_not_judged_by_its_looks() -> None:
    text = TREEBANK + "\n(S (NP (N elms)) (VP (V ash)))"
    assert set(probabilities(lexicon_of(text), "ash")) == {"V"}
    assert set(probabilities(lexicon_of(TREEBANK), "ash")) == {"N", "V", "P"}


def test_where_no_look_is_known_an_unknown_word_has_all_tags() -> None:
    """As often as they are there: P(tag) / count of the tag is the same for all."""
    text = "(S (NP (N oaks)) (VP (V ash)))" * 3
    assert probabilities(lexicon_of(text), "elm", text) == pytest.approx({"N": 1 / 8, "V": 1 / 8})


# ---- tags that are not known -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parser() -> Pcfg:
    return Pcfg.trained(trees_of(TREEBANK), PcfgOptions())


def test_for_a_tag_that_the_grammar_does_not_know_the_parser_goes_by_the_form_and_writes_the_tag(parser: Pcfg) -> None:
    known, unknown = (parser.parse(["oaks", "walks"], ["N", tag]) for tag in ("V", "VERB"))
    assert known.text == "(S (NP (N oaks)) (VP (V walks)))"
    assert (known.n_unknown_tags, unknown.n_unknown_tags) == (0, 1)
    assert unknown.text == "(S (NP (N oaks)) (VP (VERB walks)))"


def test_for_a_word_without_a_tag_the_parser_chooses_and_writes_one(parser: Pcfg) -> None:
    for tags in (None, ["_", "_"], ["N", "_"]):
        found = parser.parse(["oaks", "walks"], tags)
        assert found.text == "(S (NP (N oaks)) (VP (V walks)))"
        assert found.n_unknown_tags == 0


def test_the_probability_is_that_of_the_tree_above_given_tags_and_of_words_above_chosen_ones(parser: Pcfg) -> None:
    """TOP → S, S → NP VP and NP → N are the only rules of their parents; VP → V has 7 of 8."""
    given = parser.parse(["oaks", "walks"], ["N", "V"])
    assert given.log_probability == pytest.approx(math.log(7 / 8))
    chosen = parser.parse(["oaks", "walks"])
    assert chosen.log_probability == pytest.approx(math.log(7 / 8 * 6 / 9 * (1 + 2 / 3) / 9))


def test_brackets_and_spaces_in_words_and_tags_are_written_as_in_trees(parser: Pcfg) -> None:
    found = parser.parse(["(", ")"], ["N", "V"])
    assert found.text == "(S (NP (N -LRB-)) (VP (V -RRB-)))"
    found = parser.parse(["New\u00a0oaks now", "x"], ["N X", "(V)"])
    assert found.text == "(S (NP (N_X New_oaks_now)) (VP (-LRB-V-RRB- x)))"
    assert found.n_unknown_tags == 2


def test_a_sentence_without_a_parse_or_without_words_is_missing(parser: Pcfg) -> None:
    for forms, tags in (([], []), (["in"], ["P"]), (["oaks"] * 3, ["V"] * 3)):
        found = parser.parse(forms, tags, ParseOptions(count=True))
        assert found.is_missing
        assert found.text == "(())"
        assert found.log_probability == -math.inf
        assert found.log_n_parses == -math.inf
        assert not found.was_too_slow


def test_a_sentence_for_which_there_is_no_memory_is_missing(parser: Pcfg, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*given: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("karat.systems.pcfg.parser.best_parse", none_left)
    found = parser.parse(["oaks", "walks"], ["N", "V"])
    assert (found.is_missing, found.was_too_slow) == (True, True)


@pytest.mark.parametrize(
    ("treebank", "expected"),
    [
        ("(ROOT (S (N oaks)))", "(ROOT (S (N oaks)))"),
        ("( (S (N oaks)))", "(S (N oaks))"),
        ("(S (N oaks))", "(S (N oaks))"),
        ("(TOP (N oaks))", "(TOP (N oaks))"),
        ("(N oaks)", "( (N oaks))"),
    ],
)
def test_trees_are_written_with_the_outer_bracket_of_the_treebank(treebank: str, expected: str) -> None:
    parser = Pcfg.trained(trees_of(treebank), PcfgOptions())
    assert parser.parse(["oaks"], ["N"]).text == expected


@given(*[st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=5)] * 2)
@settings(max_examples=60)
def test_any_word_with_any_tag_is_read_again_as_one_word(parser: Pcfg, form: str, tag: str) -> None:
    found = parser.parse(["oaks", form], ["N", tag])
    trees = trees_of(found.text)
    for shown, given_ in zip((trees.forms.strings(), trees.tags.strings()), (form, tag), strict=True):
        expected = re.sub("[ \t\n\v\f\r\u00a0]", "_", given_).replace("(", "-LRB-").replace(")", "-RRB-")
        assert shown[1] == expected or (given_ is tag and expected == "_")  # that is no tag: one was chosen
    assert len(trees.forms) == 2
    assert "\n" not in found.text
