"""Which categories of a tagset a query mentions.

A comparison mentions the category that its attribute names (`case!=nom`: case; negations mention too), unless it says
nothing about it (`case=".*"`). A regular expression over whole tags (`[tag="subst:sg:.*"]`) names no category: it is
matched against the tagset. It mentions

- a category, if two tags that differ only in its value exist of which one fits and one does not; or if the place of
  its value takes all of its values, but nothing that is a value of other categories only (`.*:(sg|pl):.*`); or, where
  tags name their features (UD), if for some part of speech all tags that fit have the category, and others do not;
- the part of speech, if it decides for some tag that fits: with another part of speech written in its place, and all
  else kept, the text fits no more.


So `subst:sg:.*` mentions part of speech and number, `.*:acc:.*` case, and `.*` nothing (`query_tags`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from karat.tagsets import Tagset
from karat.tagsets._tagset import POS
from karat.weights.queries.patterns import PatternError, QueryPattern, pattern_of
from karat.weights.queries.query import (
    Attribute,
    AttributeTest,
    Call,
    Condition,
    Has,
    Query,
    QueryError,
    Text,
    Value,
    comparisons,
    tokens,
)
from karat.weights.queries.tag_expressions import TagsByPlace, TagWalk

# What an attribute is about, where it is no category. They cannot be categories: no tagset's names have a <.
WORD, LEMMA, TAG, FEATURES = "<word>", "<lemma>", "<tag>", "<features>"

CATEGORY_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("orth", "word", "form", "token"), WORD),
    **dict.fromkeys(("base", "lemma", "lem", "lempos"), LEMMA),
    **dict.fromkeys(("tag", "msd", "xpos", "xpostag", "ctag", "morph", "fulltag"), TAG),
    **dict.fromkeys(("feats", "ufeats", "features", "feat"), FEATURES),
    **dict.fromkeys(("pos", "upos", "upostag", "cpos", "wc", "flex", "class"), POS),
    **dict.fromkeys(("num", "nmb", "nb"), "number"),
    **dict.fromkeys(("cas", "cs"), "case"),
    **dict.fromkeys(("gend", "gnd"), "gender"),
    **dict.fromkeys(("pers", "per"), "person"),
    **dict.fromkeys(("deg", "degr", "grade"), "degree"),
    **dict.fromkeys(("asp",), "aspect"),
    **dict.fromkeys(("negat", "neg", "negativity", "polarity"), "negation"),
    **dict.fromkeys(("acm", "accom", "accommodation"), "accommodability"),
    **dict.fromkeys(("acn", "accent"), "accentability"),
    **dict.fromkeys(("ppr", "postprep", "post-prep"), "post-prepositionality"),
    **dict.fromkeys(("agg", "agglt"), "agglutination"),
    **dict.fromkeys(("vcl", "vocal"), "vocalicity"),
    **dict.fromkeys(("dot", "fullstop"), "fullstoppedness"),
}
"""What attributes are usually called, beside the names of the categories themselves; `names` adds to them."""


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


class Mentions:
    """Counts which categories of a tagset queries mention; what is known of an expression is kept.

    `names` says what attributes of the corpus are about: a category, "pos", or `TAG`, `FEATURES`, `WORD`, `LEMMA`. It
    comes before `CATEGORY_NAMES`: in a CQP corpus whose `pos` holds whole tags, give `{"pos": TAG}`.
    """

    def __init__(self, tagset: Tagset, names: Mapping[str, str] | None = None) -> None:
        self.tagset = tagset
        self._tags = TagsByPlace(tagset)
        own = {_plain(category): category for category in tagset.categories}
        usual = {_plain(name): own.get(_plain(about), about) for name, about in CATEGORY_NAMES.items()}
        known = {POS, TAG, FEATURES, WORD, LEMMA, *tagset.categories}
        given = {_plain(name): own.get(_plain(about), about) for name, about in (names or {}).items()}
        if unknown := sorted(set(given.values()) - known):
            raise ValueError(f"no category {unknown[0]!r} in the tagset {tagset.name}")
        self._names = {name: about for name, about in {**usual, **own, **given}.items() if about in known}
        self._of_value: dict[str, str] = {}
        for category in tagset.categories:
            for value in tagset.values_in(category):
                self._of_value[value] = "" if value in self._of_value else category
        self._of_value.update(dict.fromkeys(tagset.slots, POS))
        self._kept: dict[tuple[str, str, str, str], frozenset[str]] = {}

    def about(self, attribute: str) -> str:
        """What an attribute is about: a category, "pos", `TAG`, `FEATURES`, `WORD` or `LEMMA`; "" if none of these."""
        return self._names.get(_plain(attribute), "")

    def of_query(self, query: Query) -> Counter[str]:
        """How often a query mentions each category: a comparison counts once for each that it mentions."""
        found: Counter[str] = Counter()
        for token in tokens(query.pattern):
            found += self.of_condition(token.condition, query)
        found += self.of_condition(query.constraint, query)
        found += self.of_condition(query.within_condition, query)
        for other in query.aligned:
            found += self.of_query(other)
        return found

    def of_condition(self, condition: Condition | None, query: Query) -> Counter[str]:
        """As `of_query`, of one condition; the query is named in errors."""
        found: Counter[str] = Counter()
        for one in comparisons(condition):
            found.update(self._of_name(one) if isinstance(one, Has) else self._of_comparison(one, query))
        return found

    def _of_name(self, has: Has) -> frozenset[str]:
        """What a name alone mentions: the category that it is, or the one whose value it is."""
        if isinstance(has.what, Call):
            return self._of_value_of(has.what)
        about = self.about(has.what.name) or self._of_value.get(has.what.name, "")
        return frozenset((about,)) if about and not about.startswith("<") else frozenset()

    def _of_value_of(self, value: Value) -> frozenset[str]:
        """The categories that one side of a comparison names."""
        if isinstance(value, Call):
            return frozenset().union(*(self._of_value_of(one) for one in value.arguments))
        if not isinstance(value, Attribute):
            return frozenset()
        about = self.about(value.name)
        return frozenset((about,)) if about and not about.startswith("<") else frozenset()

    def _of_comparison(self, one: AttributeTest, query: Query) -> frozenset[str]:
        if isinstance(one.left, Call):
            return self._of_value_of(one.left) | self._of_value_of(one.right)
        about = self.about(one.left.name)
        if isinstance(one.right, Text):
            return self._of_text(about, one.operator, one.right, query)
        if about in (TAG, FEATURES):  # the same whole tag, or one of a list: all that it is made of
            return frozenset((*self.tagset.categories, *([POS] if about == TAG else [])))
        return self._of_value_of(one.left) | self._of_value_of(one.right)

    def _of_text(self, about: str, operator: str, right: Text, query: Query) -> frozenset[str]:
        if not about or about in (WORD, LEMMA):
            return frozenset()
        key = (about, operator, right.text, right.flags)
        found = self._kept.get(key)
        if found is None:
            try:
                found = self._kept[key] = self._expanded(about, operator, right)
            except PatternError as error:
                raise QueryError(query.text, error.message, right.place) from None
        return found

    def _expanded(self, about: str, operator: str, right: Text) -> frozenset[str]:
        if about not in (TAG, FEATURES):
            return frozenset() if self._says_nothing(about, right) else frozenset((about,))
        pattern = QueryPattern(right.text, right.flags)  # of its own: one that is kept has states of other texts too
        if operator in ("contains", "matches"):
            return frozenset(self._of_pieces(pattern, about))
        if about == TAG:
            return frozenset(TagWalk(pattern, self._tags).whole_tags())
        return frozenset(TagWalk(_after_separator(right, self.tagset.separator), self._tags).features())

    def _says_nothing(self, about: str, right: Text) -> bool:
        """Whether a category may have any value, or none."""
        try:
            pattern = pattern_of(right.text, right.flags)
        except PatternError:
            return False  # the category is named, whatever is asked of it
        if about == POS:
            return all(map(pattern.fits, self.tagset.slots))
        return pattern.fits("") and all(map(pattern.fits, self.tagset.values_in(about)))

    def _of_pieces(self, pattern: QueryPattern, about: str) -> set[str]:
        """Where an attribute is a set of features: those categories of which a piece fits, unless any piece does."""
        named = self.tagset.cut == "features"
        pieces = {
            category: [f"{category}={value}" if named else value for value in self.tagset.values_in(category)]
            for category in self.tagset.categories
        }
        if about == TAG:
            pieces[POS] = list(self.tagset.slots)
        fitting = {category for category, of in pieces.items() if any(map(pattern.fits, of))}
        return set() if all(pattern.fits(one) for of in pieces.values() for one in of) else fitting


def _after_separator(right: Text, separator: str) -> QueryPattern:
    """The expression of features, which begin a tag's part with a separator that their attribute does not have."""
    escaped = "".join("\\" + one if not one.isalnum() else one for one in separator)
    text = right.text
    if "l" in right.flags:
        return QueryPattern(separator + text, right.flags)
    loose = ".*" if "x" in right.flags else ""
    return QueryPattern(f"{escaped}{loose}(?:{text}){loose}", right.flags.replace("x", ""))


def mentions(query: Query, tagset: Tagset, names: Mapping[str, str] | None = None) -> Counter[str]:
    """How often a query mentions each category of a tagset, "pos" for the part of speech. For many: `Mentions`."""
    return Mentions(tagset, names).of_query(query)
