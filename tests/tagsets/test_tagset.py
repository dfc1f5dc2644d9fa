"""The engine: how tags are cut, what their pieces stand for, and where the mistakes are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from karat.errors import DataError, UsageError
from karat.tagsets import Slot, TagError, Tagset, read_tagset, shipped
from karat.tagsets._description import tagset_from_text

SEPARATED = """
name = "garden"
value-separator = "."
wildcard = "_"
unknown = ["???"]
[values]
colour = { red = "the colour red", blue = "", green = "" }
size = ["small", "big"]
smell = ["sweet"]
[sets.colour]
cold = ["blue", "green"]
[maps.colour]
crimson = "red"
chilly = "cold"
[pos]
flower = ["colour", "?size", "?smell"]
tree = ["size"]
stone = []
"""

CHARACTERS = """
name = "dishes"
cut = "characters"
[values]
heat = "hc"
taste = { s = "sweet", b = "bitter" }
[values-of.W]
taste = { d = "dry" }
[sets]
taste = { x = "sb" }
[pos]
S = ["heat", "", "taste"]
W = ["taste"]
"""

FEATURES = """
name = "weather"
cut = "features"
[values]
Wind = ["No", "Yes"]
Rain = ["Yes", "No", "1"]
[pos]
DAY = []
NIGHT = []
"""


def tagset(text: str) -> Tagset:
    return tagset_from_text(text, "here.toml")


def error_of(tags: Tagset, tag: str) -> TagError:
    with pytest.raises(TagError) as caught:
        tags.parse(tag)
    return caught.value


# ---- separated


@pytest.mark.parametrize(
    ("tag", "values"),
    [
        ("flower:red", {"colour": ("red",)}),
        ("flower:red:big", {"colour": ("red",), "size": ("big",)}),
        ("flower:red:sweet", {"colour": ("red",), "smell": ("sweet",)}),
        ("flower:red:big:sweet", {"colour": ("red",), "size": ("big",), "smell": ("sweet",)}),
        ("stone", {}),
    ],
)
def test_optional_slots_may_be_left_out_of_a_separated_tag(tag: str, values: dict[str, tuple[str, ...]]) -> None:
    found = tagset(SEPARATED).parse(tag)
    assert (found.text, found.pos, found.values) == (tag, tag.split(":")[0], values)


@pytest.mark.parametrize(
    ("piece", "values"),
    [
        ("green.red", ("red", "green")),
        ("red.red", ("red",)),
        ("cold", ("blue", "green")),
        ("cold.red", ("red", "blue", "green")),
        ("crimson", ("red",)),
        ("chilly", ("blue", "green")),
        ("_", ("red", "blue", "green")),
    ],
)
def test_several_values_sets_maps_and_the_wildcard_give_values_in_the_order_described(
    piece: str, values: tuple[str, ...]
) -> None:
    assert tagset(SEPARATED).parse(f"flower:{piece}").values == {"colour": values}


@pytest.mark.parametrize(
    ("tag", "place", "message"),
    [
        ("", 0, "empty"),
        ("bush:red", 0, "no part of speech 'bush'"),
        ("flower", 6, "colour is missing"),
        ("flower:yellow", 7, "'yellow' is not a value of colour"),
        ("flower:red.yellow", 7, "'red.yellow' is not a value of colour"),
        ("flower:", 7, "'' is not a value of colour"),
        ("flower:red:huge", 11, "'huge' is one value too many"),
        ("flower:red:sweet:big", 17, "'big' is one value too many"),
        ("tree:big:big", 9, "'big' is one value too many"),
        ("stone:red", 6, "too many for stone"),
    ],
)
def test_what_is_wrong_with_a_separated_tag_is_said_with_its_place(tag: str, place: int, message: str) -> None:
    error = error_of(tagset(SEPARATED), tag)
    assert (error.tag, error.place) == (tag, place)
    assert message in str(error)


def test_an_unknown_tag_is_its_own_part_of_speech_without_values() -> None:
    found = tagset(SEPARATED).parse("???")
    assert (found.pos, found.values) == ("???", {})


def test_without_a_separator_a_whole_tag_is_the_part_of_speech() -> None:
    tags = tagset('separator = ""\n[pos]\n":" = []\n"a:b" = []')
    assert [tags.parse(tag).pos for tag in (":", "a:b")] == [":", "a:b"]
    assert error_of(tags, "a").place == 0


# ---- characters


@pytest.mark.parametrize(
    ("tag", "values"),
    [
        ("S", {}),
        ("Sh", {"heat": ("h",)}),
        ("S---", {}),
        ("Sc-b", {"heat": ("c",), "taste": ("b",)}),
        ("S--x", {"taste": ("s", "b")}),
        ("Wd", {"taste": ("d",)}),
    ],
)
def test_characters_have_their_positions_and_those_at_the_end_may_be_dropped(
    tag: str, values: dict[str, tuple[str, ...]]
) -> None:
    found = tagset(CHARACTERS).parse(tag)
    assert (found.pos, found.values) == (tag[0], values)


@pytest.mark.parametrize(
    ("tag", "place", "message"),
    [
        ("Q", 0, "no part of speech 'Q'"),
        ("Sx", 1, "'x' is not a value of heat (choose from h, c)"),
        ("Shs", 2, "where nothing is expected"),
        ("Sh-d", 3, "'d' is not a value of taste (choose from s, b, x)"),
        ("Ws", 1, "'s' is not a value of taste (choose from d"),
        ("Wx", 1, "'x' is not a value of taste"),
        ("Sh-s-", 4, "'-' is too many for S"),
    ],
)
def test_what_is_wrong_with_a_tag_of_characters_is_said_with_its_place(tag: str, place: int, message: str) -> None:
    error = error_of(tagset(CHARACTERS), tag)
    assert error.place == place
    assert message in error.message


def test_a_part_of_speech_may_have_two_characters_of_which_the_first_is_the_coarse_one() -> None:
    tags = tagset(
        'cut = "characters"\nwidth = 2\ncoarse-width = 1\nlength = 3\n[values]\nheat = "hc"\n[pos]\nSA = ["heat"]'
    )
    assert tags.parse("SAh").pos == "SA"
    assert tags.coarse("SA") == "S"
    assert [error_of(tags, tag).place for tag in ("SA", "SAh-", "SB-", "S")] == [2, 3, 0, 0]


def test_without_a_coarse_width_a_part_of_speech_is_as_coarse_as_it_is() -> None:
    assert tagset(SEPARATED).coarse("flower") == "flower"


# ---- features


@pytest.mark.parametrize("tag", ["DAY", "DAY|_"])
def test_a_tag_may_have_no_features(tag: str) -> None:
    assert tagset(FEATURES).parse(tag).values == {}


def test_features_come_in_any_order_and_their_values_in_that_of_the_description() -> None:
    found = tagset(FEATURES).parse("NIGHT|Rain=1,Yes|Wind=No")
    assert (found.pos, found.values) == ("NIGHT", {"Rain": ("Yes", "1"), "Wind": ("No",)})


@pytest.mark.parametrize(
    ("tag", "place", "message"),
    [
        ("NOON|Wind=No", 0, "no part of speech 'NOON'"),
        ("DAY|", 4, "not of the form name=value"),
        ("DAY|Wind", 4, "not of the form name=value"),
        ("DAY|Wind=", 4, "not of the form name=value"),
        ("DAY|=No", 4, "not of the form name=value"),
        ("DAY|Wind=No|_", 12, "not of the form name=value"),
        ("DAY|Wind=No|Wind=Yes", 12, "Wind occurs twice"),
        ("DAY|Wind=No|Snow=Yes", 12, "no category 'Snow'"),
        ("DAY|Rain=1|Wind=Yes,Some", 16, "'Yes,Some' is not a value of Wind"),
    ],
)
def test_what_is_wrong_with_features_is_said_with_its_place(tag: str, place: int, message: str) -> None:
    error = error_of(tagset(FEATURES), tag)
    assert error.place == place
    assert message in error.message


def test_an_open_tagset_takes_all_that_is_well_formed_and_puts_what_it_knows_first() -> None:
    tags = tagset("open = true\ncategory-form = '[A-Z].*'\nvalue-form = '[A-Z0-9].*'\n" + FEATURES)
    assert tags.parse("DAY|Snow=Deep|Wind=Some,Yes").values == {"Snow": ("Deep",), "Wind": ("Yes", "Some")}
    assert [error_of(tags, tag).place for tag in ("DAY|snow=Deep", "DAY|Snow=deep", "DAY|Wind=No,")] == [4, 9, 9]


# ---- many tags, and what a tagset says of itself


def test_parsed_gives_none_and_an_error_for_each_bad_tag() -> None:
    found, errors = tagset(SEPARATED).parsed(["stone", "sand", "tree:big", "tree"])
    assert [tag and tag.pos for tag in found] == ["stone", None, "tree", None]
    assert [error.tag for error in errors] == ["sand", "tree"]


def test_a_tagset_names_its_parts_of_speech_categories_and_values() -> None:
    tags = tagset(CHARACTERS)
    assert tags.parts_of_speech == ("S", "W")
    assert tags.categories == ("heat", "taste")
    assert tags.values_in("taste") == {"s": "sweet", "b": "bitter", "d": "dry"}
    assert tags.values_in("taste", "S") == {"s": "sweet", "b": "bitter"}
    assert tags.values_in("taste", "W") == {"d": "dry"}
    assert tags.slots["S"] == (Slot("heat"), Slot(""), Slot("taste"))
    assert tagset(FEATURES).categories == ("Wind", "Rain")


# ---- descriptions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pos", "not TOML"),
        ('colour = "red"\n[pos]\nA = []', "unknown key 'colour'"),
        ('cut = "slices"\n[pos]\nA = []', "cut is 'slices'"),
        ('name = "none"', "no part of speech"),
        ("[pos]", "no part of speech"),
        ("pos = 3", "pos is 3, no table"),
        ('width = "two"\n[pos]\nA = []', "width is 'two', no number"),
        ("width = true\n[pos]\nA = []", "width is True, no number"),
        ("separator = 1\n[pos]\nA = []", "separator is 1, no text"),
        ('open = "yes"\n[pos]\nA = []', "no truth value"),
        ('unknown = "ign"\n[pos]\nA = []', "no list"),
        ("[pos]\nA = 3", "3 is not a list of categories"),
        ("[pos]\nA = [1]", "[1] is not a list of categories"),
        ('[pos]\nA = "nouns"', "unknown slots 'nouns'"),
        ('[pos]\nA = ["heat"]', "the category 'heat' of A has no values"),
        ('[values]\nheat = 3\n[pos]\nA = ["heat"]', "3 are not values"),
        ('[values-of]\nA = 3\n[pos]\nA = ["heat"]', "values-of.A is 3, no table"),
        ('[values]\nheat = "hc"\n[pos]\nA = ["heat", "heat"]', "the category 'heat' occurs twice in A"),
        ('[values]\nheat = "hc"\n[sets]\nheat = { x = "hq" }\n[pos]\nA = ["heat"]', "'q' is not a value of heat"),
        ('[values]\nheat = "hc"\n[sets]\nheat = "x"\n[pos]\nA = ["heat"]', "sets.heat is 'x', no table"),
        ('[values]\nheat = "hc"\n[maps]\nheat = { x = "q" }\n[pos]\nA = ["heat"]', "what 'x' is mapped to"),
        ('cut = "characters"\n[pos]\nAB = []', "'AB' has 2 characters where width is 1"),
        ('cut = "characters"\nwidth = 0\n[pos]\nA = []', "width is 0"),
        ('cut = "features"\nseparator = ""\n[pos]\nA = []', "features need a separator"),
        ("value-form = '['\n[pos]\nA = []", "'[' is not a regular expression"),
        ('base = "nothing"\n[pos]\nA = []', "unknown tagset 'nothing' as base"),
    ],
)
def test_a_description_that_cannot_be_meant_is_k801(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        tagset(text)
    problem = caught.value.problems[0]
    assert (problem.code, problem.path) == ("K801", "here.toml")
    assert message in problem.message


def test_slots_that_several_parts_of_speech_share_can_have_a_name() -> None:
    tags = tagset('[values]\nheat = ["hot"]\n[slots]\nfood = ["heat"]\n[pos]\nsoup = "food"\nstew = "food"')
    assert tags.parse("soup:hot").values == tags.parse("stew:hot").values == {"heat": ("hot",)}


def test_a_description_takes_what_it_leaves_out_from_its_base() -> None:
    tags = tagset('name = "few"\nbase = "nkjp"\n[pos]\nsubst = ["case", "number"]')
    assert (tags.name, tags.parts_of_speech, tags.categories) == ("few", ("subst",), ("number", "case"))
    assert tags.parse("subst:nom.acc:sg").values == {"case": ("nom", "acc"), "number": ("sg",)}
    assert error_of(tags, "subst:sg:nom").place == 6


def test_a_description_can_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SEPARATED, encoding="utf-8")
    tags = read_tagset(path)
    assert tags.name == "garden"
    assert read_tagset(str(path)).parse("tree:big") == tags.parse("tree:big")
    assert read_tagset(tags) is tags


def test_a_tagset_that_is_not_shipped_is_a_usage_error_that_lists_the_shipped_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown tagset 'klingon'; choose from .*nkjp"):
        read_tagset("klingon")


# ---- composed tags come apart again

SHIPPED = [read_tagset(name) for name in shipped()]
SMALL = [tagset(SEPARATED), tagset(CHARACTERS), tagset(FEATURES)]
Composed = tuple[Tagset, str, str, dict[str, tuple[str, ...]]]


@st.composite
def pieces(draw: st.DrawFn, tags: Tagset, category: str, pos: str) -> tuple[str, tuple[str, ...]]:
    """How one or more values of a category are written, and the values."""
    known = list(tags.values_in(category, pos))
    sets = {one: of for one, of in tags.sets.get(category, {}).items() if set(of) <= set(known)}
    limit = 3 if tags.value_separator else 1
    written = draw(st.lists(st.sampled_from([*known, *sets]), min_size=1, max_size=limit, unique=True))
    values = {value for one in written for value in sets.get(one, (one,))}
    return tags.value_separator.join(written), tuple(sorted(values, key=known.index))


@st.composite
def composed(draw: st.DrawFn) -> Composed:
    """A tagset, a tag of it, and the part of speech and values that the tag was composed of."""
    tags = draw(st.sampled_from([*SHIPPED, *SMALL]))
    pos = draw(st.sampled_from(tags.parts_of_speech))
    slots = tags.slots[pos]
    if tags.cut == "features":
        described = [name for name in tags.categories if tags.values_in(name, pos)]
        chosen = draw(st.lists(st.sampled_from(described), unique=True, max_size=5))
        slots = tuple(map(Slot, chosen))
    written: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    for slot in slots:
        may_be_empty = slot.optional or tags.cut == "characters"
        if not slot.category or (may_be_empty and draw(st.booleans())):
            written += [tags.empty] if tags.cut == "characters" else []
            continue
        piece, values[slot.category] = draw(pieces(tags, slot.category, pos))
        written.append(f"{slot.category}={piece}" if tags.cut == "features" else piece)
    if tags.cut != "characters":
        return tags, tags.separator.join([pos, *written]), pos, values
    text = pos + "".join(written)
    return tags, text if tags.length or draw(st.booleans()) else text.rstrip(tags.empty), pos, values


@given(composed())
def test_a_composed_tag_parses_back_to_what_it_was_composed_of(given_tag: Composed) -> None:
    tags, text, pos, values = given_tag
    found = tags.parse(text)
    assert (found.text, found.pos, dict(found.values)) == (text, pos, values)


@given(composed(), st.data())
def test_a_tag_with_a_character_that_no_tagset_has_is_an_error_at_or_before_that_character(
    given_tag: Composed, data: st.DataObject
) -> None:
    tags, text, *_ = given_tag
    place = data.draw(st.integers(0, len(text)))
    error = error_of(tags, f"{text[:place]}\N{SNOWMAN}{text[place:]}")
    assert 0 <= error.place <= place


@given(st.sampled_from([*SHIPPED, *SMALL]), st.text(max_size=20))
def test_any_text_is_a_tag_or_a_tag_error(tags: Tagset, text: str) -> None:
    found, errors = tags.parsed([text])
    assert (found == [None]) == (len(errors) == 1)
    assert all(0 <= error.place <= len(text) for error in errors)
