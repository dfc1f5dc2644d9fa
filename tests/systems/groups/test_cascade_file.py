"""Reading cascades of groups: what is shipped, what a file may say, and where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import DataError, UsageError
from karat.systems.groups.cascade import read_cascade, shipped_cascades
from karat.systems.groups.cascade_file import cascade_from_text
from karat.systems.groups.patterns import MANY, ElementAgreement, PatternElement, WordCondition

GOOD = """tagset = "nkjp"

[lists]
small = "mały drobny"

[words]
adjective = { pos = ["adj", "ppas"], not-lemma = ["@small", "duży"] }
noun = { pos = "subst", case = ["gen", "acc"] }
name = { pos = "subst", capital-lemma = true }

[[rule]]
name = "nouns"
makes = "nominal"
pattern = "adjective+ noun|name"
agree = "adjective noun|name: case number"
head = "noun|name"
not-after = "name"

[[rule]]
name = "more nouns"
makes = "nominal"
pattern = "nominal adjective? noun noun"
agree = ["1 3: case", "3 4: gender"]
syntactic-head = "nominal"
semantic-head = "4"
"""


def test_a_file_is_read_as_it_is_written() -> None:
    cascade = cascade_from_text(GOOD, "a.toml")
    first, second = cascade.rules
    assert cascade.tagset == "nkjp"
    assert cascade.kinds == ("nominal",)
    assert cascade.classes["adjective"].conditions == (
        WordCondition("pos", frozenset({"adj", "ppas"})),
        WordCondition("lemma", frozenset({"mały", "drobny", "duży"}), excluded=True),
    )
    assert first.elements == (PatternElement(("adjective",), 1, MANY), PatternElement(("noun", "name")))
    assert first.agreements == (ElementAgreement("case", (0, 1)), ElementAgreement("number", (0, 1)))
    assert (first.syntactic, first.semantic, first.not_after, first.not_before) == (1, 1, ("name",), ())
    assert second.elements[1] == PatternElement(("adjective",), 0, 1)
    assert (second.syntactic, second.semantic) == (0, 3)


@pytest.mark.parametrize("name", shipped_cascades())
def test_what_is_shipped_makes_all_kinds_of_groups(name: str) -> None:
    cascade = read_cascade(name)
    assert cascade.tagset == name
    assert {"nominal", "adjectival", "numeral", "prepositional", "verbal"} <= set(cascade.kinds)
    assert read_cascade(cascade) is cascade


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('tagset = "nkjp"\n', "", 1, "tagset is missing"),
        ('tagset = "nkjp"', 'tagset = "nkpj"', 1, "unknown tagset 'nkpj'"),
        ('tagset = "nkjp"', "tagset = 7", 1, "tagset is not text"),
        ('tagset = "nkjp"', 'tagset = "nkjp"\nabout: x', 2, "not TOML"),
        ("[words]", "[word]", 6, "unknown key 'word' (did you mean 'words'?)"),
        ('small = "mały drobny"', 'small = ["mały"]', 4, "the list small is not a text"),
        ('["@small", ', '["@smal", ', 7, "adjective: not-lemma: no list 'smal' in [lists] (did you mean 'small'?)"),
        ('"ppas"', '"ppass"', 7, "unknown part of speech 'ppass' in the tagset nkjp (did you mean 'ppas'?)"),
        ('case = ["gen"', 'case = ["Gen"', 8, "unknown case 'Gen' in the tagset nkjp (did you mean 'gen'?)"),
        ("case = [", "cases = [", 8, "noun: unknown key 'cases' (did you mean 'case'?)"),
        ('["gen", "acc"]', "3", 8, "noun: case is neither text nor a list of texts"),
        ("capital-lemma = true", 'capital-lemma = "yes"', 9, "capital-lemma is neither true nor false"),
        ("name = {", '"7 names" = {', 9, "'7 names' cannot be a name in patterns"),
        ('name = { pos = "subst", capital-lemma = true }', "name = 3", 9, "name is not a table of properties"),
        ('name = { pos = "subst",', 'name = { group = "numeral",', 9, "no rule makes groups of the kind 'numeral'"),
        ('name = "nouns"\n', "", 11, "a rule without name"),
        ('head = "noun|name"\n', "", 11, "a rule needs either head, or syntactic-head and semantic-head"),
        ('semantic-head = "4"\n', "", 19, "a rule needs either head, or syntactic-head and semantic-head"),
        ('head = "noun|name"', 'head = "noun|name"\nhaed = "3"', 17, "unknown key 'haed' (did you mean 'head'?)"),
        ('head = "noun|name"', 'head = "adjective"', 16, "'adjective' is optional or repeated"),
        ('head = "noun|name"', 'head = "noun"', 16, "head: 'noun' is not in the pattern"),
        ('semantic-head = "4"', 'semantic-head = "noun"', 25, "'noun' is there twice: write its place, from 1"),
        ('semantic-head = "4"', 'semantic-head = "5"', 25, "'5' is not in the pattern"),
        ('makes = "nominal"', 'makes = "word"', 13, "'word' cannot be a kind of groups"),
        ('makes = "nominal"', 'makes = "noun"', 13, "'noun' is a name in [words]"),
        ("adjective+ noun|name", "adjectiv+ noun|name", 14, "neither in [words] nor a kind that a rule before makes"),
        ("adjective+ noun|name", "adjective+? noun|name", 14, "only one of ? * + can follow a name"),
        ("adjective+ noun|name", "nominal noun|name", 14, "'nominal' is neither in [words] nor"),
        ("noun|name: case number", "noun|name: cases", 15, "'cases' is not one of case, number, gender"),
        ("noun|name: case number", "noun|name", 15, "is not of the form 'adjective noun: case number gender'"),
        ('not-after = "name"', 'not-after = "names"', 17, "not-after: 'names' is neither"),
        ('not-after = "name"', 'not-after = ["name"]', 17, "not-after is not a text"),
        ('name = "more nouns"', 'name = "nouns"', 20, "two rules have the name 'nouns'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, line: int, message: str) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(DataError) as error:
        cascade_from_text(GOOD.replace(old, new, 1), "mine.toml")
    assert message in error.value.message
    assert (error.value.path, error.value.line, error.value.code) == ("mine.toml", line, "K890")


def test_a_file_without_rules_or_with_too_many_names_is_refused() -> None:
    with pytest.raises(DataError, match=r"\[\[rule\]\] is missing"):
        cascade_from_text(GOOD[: GOOD.index("[[rule]]")], "mine.toml")
    many = "".join(f'n{number} = {{ pos = "subst" }}\n' for number in range(64))
    with pytest.raises(DataError, match="at most 64"):
        cascade_from_text(GOOD.replace("[words]\n", f"[words]\n{many}"), "mine.toml")


def test_rules_may_be_written_as_a_list() -> None:
    text = 'tagset = "nkjp"\nrule = [{ name = "r", makes = "k", pattern = "a a", head = "1" }]\nwords.a.pos = "adj"\n'
    assert cascade_from_text(text, "a.toml").rules[0].makes == "k"
    with pytest.raises(DataError, match="is not a table") as error:
        cascade_from_text(text.replace('{ name = "r", makes = "k", pattern = "a a", head = "1" }', "7"), "a.toml")
    assert error.value.line == 2


def test_the_tagset_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    tagset = tmp_path / "mine.toml"
    tagset.write_text('name = "mine"\n[pos]\nN = []\nA = []\n')
    text = f'tagset = "{tagset}"\n[words]\na = {{ pos = "A" }}\nb = {{ pos = "N" }}\n'
    text += '[[rule]]\nname = "r"\nmakes = "k"\npattern = "a b"\nhead = "b"\n'
    assert cascade_from_text(text, "a.toml").tagset == "mine"
    with pytest.raises(DataError, match="the tagset mine has no case"):
        cascade_from_text(text.replace('pos = "N"', 'pos = "N", case = "gen"'), "a.toml")


def test_a_cascade_that_is_neither_shipped_nor_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown cascade of groups 'polish'; choose from nkjp, ud"):
        read_cascade("polish")
    with pytest.raises(DataError, match="K101"):
        read_cascade(tmp_path / "absent.toml")
