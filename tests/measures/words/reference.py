"""The measures of docs/measures.md, slow and plain: what karat's arrays are held to.

Everything is written from the definitions, with one object a word and one function a definition. A measure is a
`Judged`: the units of the gold, those of the system, the gold's units that are right and those that are aligned. Counts
a sentence and counts a group are two ways to sort the same units.

Words match in one way only, unless words of multiword tokens could match in several equally long ways or have spaces in
their forms, or words that stand askew before a multiword token have the forms of words in it. What happens then is the
official evaluator's business (`test_conll18_agreement.py`); `Comparison.is_clear` is false, and tests pass over it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias, TypeVar

__all__ = ["MEASURES", "Comparison", "Corpus", "Counts", "Judged", "confusions", "corpus_from_text", "counts_by"]
__all__ += ["counts_by_lexicon", "counts_by_sentence", "measured", "totals"]

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS = range(9)

FUNCTION_RELATIONS = set("aux case cc clf cop det mark".split())
CONTENT_RELATIONS = set(
    "acl advcl advmod amod appos ccomp compound conj csubj dep discourse dislocated expl fixed flat goeswith iobj list "
    "nmod nsubj nummod obj obl orphan parataxis reparandum root vocative xcomp".split()
)
UNIVERSAL_FEATURES = set(
    "Abbr Animacy Aspect Case Definite Degree Evident Foreign Gender Mood NumType Number Person Polarity Polite Poss "
    "PronType Reflex Tense VerbForm Voice".split()
)


# --- CoNLL-U ---


@dataclass(eq=False, kw_only=True)
class Unit:
    """What is counted; it has the characters from `start` to `stop`, spaces left out."""

    start: int
    stop: int

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.stop


Edge: TypeAlias = "tuple[Word | None, str]"  # the head, None for the root, and the label


@dataclass(eq=False, kw_only=True)
class Word(Unit):
    """A syntactic word; those of a multiword token all have the token's span."""

    fields: list[str]
    is_in_multiword: bool
    head: Word | None = None
    edges: list[Edge] = field(default_factory=list)
    dependents: list[Word] = field(default_factory=list)

    @property
    def lower_form(self) -> str:
        return without_spaces(self.fields[FORM]).lower()

    @property
    def has_space(self) -> bool:
        return self.fields[FORM] != without_spaces(self.fields[FORM])

    @property
    def features(self) -> set[str]:
        return set() if self.fields[FEATS] == "_" else set(self.fields[FEATS].split("|"))

    @property
    def universal_features(self) -> set[str]:
        return {feature for feature in self.features if feature.split("=")[0] in UNIVERSAL_FEATURES}

    @property
    def relation(self) -> str:
        return without_subtype(self.fields[DEPREL])

    @property
    def is_content(self) -> bool:
        return self.relation in CONTENT_RELATIONS

    @property
    def function_words(self) -> list[Word]:
        return [word for word in self.dependents if word.relation in FUNCTION_RELATIONS]


@dataclass(eq=False, kw_only=True)
class Sentence(Unit):
    """A sentence; `newdoc` is its id where a document begins, "" if that has none, else None."""

    newdoc: str | None
    tokens: list[Unit]
    words: list[Word]


@dataclass(eq=False)
class Corpus:
    """Sentences, and the characters of their tokens without spaces."""

    sentences: list[Sentence]
    characters: str

    @cached_property
    def words(self) -> list[Word]:
        return [word for sentence in self.sentences for word in sentence.words]

    @cached_property
    def place_of(self) -> dict[Word, int]:
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def words_at(self) -> list[list[Word]]:
        """For each character the words that begin there."""
        found: list[list[Word]] = [[] for _ in self.characters]
        for word in self.words:
            found[word.start].append(word)
        return found

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest word."""
        return max(word.stop - word.start for word in self.words)

    @cached_property
    def tokens(self) -> list[Unit]:
        return [token for sentence in self.sentences for token in sentence.tokens]

    def has(self, column: int) -> bool:
        """Whether any word has something other than `_`."""
        return any(word.fields[column] != "_" for word in self.words)


def without_spaces(form: str) -> str:
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def without_subtype(relation: str) -> str:
    return relation.split(":")[0]


def corpus_from_text(text: str) -> Corpus:
    """The corpus that CoNLL-U text holds; it must be well-formed."""
    sentences: list[Sentence] = []
    characters = ""
    for block in text.strip("\n").split("\n\n"):
        sentence, more = _sentence_from_lines(block.strip("\n").split("\n"), len(characters))
        sentences.append(sentence)
        characters += more
    return Corpus(sentences, characters)


def _sentence_from_lines(lines: list[str], start: int) -> tuple[Sentence, str]:
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    tokens: list[Unit] = []
    words: dict[str, Word] = {}
    characters = ""
    last_of_range = 0
    for row in rows:
        if "." in row[ID]:
            continue
        is_range = "-" in row[ID]
        is_in_multiword = not is_range and int(row[ID]) <= last_of_range
        if not is_in_multiword:
            form = without_spaces(row[FORM])
            begin = start + len(characters)
            tokens.append(Unit(start=begin, stop=begin + len(form)))
            characters += form
        if is_range:
            last_of_range = int(row[ID].split("-")[1])
        else:
            begin, end = tokens[-1].span
            words[row[ID]] = Word(start=begin, stop=end, fields=row, is_in_multiword=is_in_multiword)
    _attach(words, {row[ID]: row for row in rows})
    newdoc = next((line.partition("=")[2].strip() for line in lines if line.startswith("# newdoc")), None)
    stop = start + len(characters)
    return Sentence(start=start, stop=stop, newdoc=newdoc, tokens=tokens, words=list(words.values())), characters


def _attach(words: Mapping[str, Word], rows: Mapping[str, list[str]]) -> None:
    """Give words their heads, dependents and edges."""
    for name, word in words.items():
        word.head = words.get(word.fields[HEAD])
        if word.head is not None:
            word.head.dependents.append(word)
        word.edges = [(words.get(head), label) for head, label in _edges(name, rows, set())]


def _edges(name: str, rows: Mapping[str, list[str]], passed: set[str]) -> Iterator[tuple[str, str]]:
    """A node's edges; those from an empty node go up, through it, to where its own edges come from."""
    for edge in rows[name][DEPS].split("|"):
        head, _, label = edge.partition(":")
        if edge == "_" or head in passed:
            continue
        if "." in head:
            for upper_head, upper_label in _edges(head, rows, {*passed, head}):
                yield upper_head, f"{upper_label}>{label}"
        else:
            yield head, label


# --- which words match ---

Pair: TypeAlias = tuple[Word, Word]  # of the gold and of the system


@dataclass(eq=False)
class Comparison:
    """A gold and a system of the same characters."""

    gold: Corpus
    system: Corpus

    def __post_init__(self) -> None:
        assert self.gold.characters == self.system.characters

    @cached_property
    def pairs(self) -> list[Pair]:
        """Matching words, in the gold's order."""
        pairs = list(self._plain_pairs)
        for span in self.multiword_spans:
            gold, system = (words_inside(corpus, span) for corpus in (self.gold, self.system))
            pairs += longest_matches(gold, system)[0]
        place = {word: place for place, word in enumerate(self.gold.words)}
        return sorted(pairs, key=lambda pair: place[pair[0]])

    @cached_property
    def gold_of(self) -> dict[Word, Word]:
        """The gold word that a system word matches."""
        return {system: gold for gold, system in self.pairs}

    @cached_property
    def _plain_pairs(self) -> list[Pair]:
        plain = {word.span: word for word in self.system.words if not word.is_in_multiword}
        return [(w, plain[w.span]) for w in self.gold.words if not w.is_in_multiword and w.span in plain]

    @cached_property
    def multiword_spans(self) -> list[tuple[int, int]]:
        """The smallest spans out of which no multiword token of either side sticks out, from left to right."""
        words = self.gold.words + self.system.words
        spans: list[tuple[int, int]] = []
        for start, stop in sorted({word.span for word in words if word.is_in_multiword}):
            if spans and start < spans[-1][1]:
                spans[-1] = spans[-1][0], max(spans[-1][1], stop)
            else:
                spans.append((start, stop))
        return spans

    @cached_property
    def is_clear(self) -> bool:
        """Whether words can match in one way only."""
        known_ends = {gold.stop for gold, _ in self._plain_pairs} | {stop for _, stop in self.multiword_spans} | {0}
        for span in self.multiword_spans:
            gold, system = (words_inside(corpus, span) for corpus in (self.gold, self.system))
            if any(word.has_space for word in gold + system):
                return False
            since = next(place for place in range(span[0], -1, -1) if place in known_ends)
            if len(longest_matches(gold, system)) > 1:
                return False
            if is_like(words_astray(self.gold, since, span[0]), system):
                return False
            if is_like(words_astray(self.system, since, span[0]), gold):
                return False
        return True

    @cached_property
    def sentence_at(self) -> list[int]:
        """For each character the gold sentence it is in."""
        return [number for number, one in enumerate(self.gold.sentences) for _ in range(one.start, one.stop)]


def words_inside(corpus: Corpus, span: tuple[int, int]) -> list[Word]:
    return [word for place in range(*span) for word in corpus.words_at[place] if word.stop <= span[1]]


def words_astray(corpus: Corpus, since: int, until: int) -> list[Word]:
    """Words after all that matched before a multiword token that begin before it."""
    places = range(max(since - corpus.longest, 0), until)
    return [word for place in places for word in corpus.words_at[place] if word.stop > since]


def is_like(some: Sequence[Word], others: Sequence[Word]) -> bool:
    return bool({word.lower_form for word in some} & {word.lower_form for word in others})


def longest_matches(gold: Sequence[Word], system: Sequence[Word]) -> list[tuple[Pair, ...]]:
    """All the longest common subsequences of lower-cased forms."""
    longest: dict[tuple[int, int], set[tuple[Pair, ...]]] = {}  # of so many words of each
    for i in range(len(gold) + 1):
        for j in range(len(system) + 1):
            found: set[tuple[Pair, ...]] = {()}
            if i > 0:
                found |= longest[i - 1, j]
            if j > 0:
                found |= longest[i, j - 1]
            if i > 0 and j > 0 and gold[i - 1].lower_form == system[j - 1].lower_form:
                found |= {(*match, (gold[i - 1], system[j - 1])) for match in longest[i - 1, j - 1]}
            most = max(map(len, found))
            longest[i, j] = {match for match in found if len(match) == most}
    return list(longest[len(gold), len(system)])


# --- when a word is right ---

Right: TypeAlias = Callable[[Word, Word, Comparison], bool]


def upos(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.fields[UPOS] == system.fields[UPOS]


def xpos(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.fields[XPOS] == system.fields[XPOS]


def ufeats(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.universal_features == system.universal_features


def feats(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.features == system.features


def all_tags(gold: Word, system: Word, comparison: Comparison) -> bool:
    return upos(gold, system, comparison) and xpos(gold, system, comparison) and ufeats(gold, system, comparison)


def lemmas(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.fields[LEMMA] in ("_", system.fields[LEMMA])


def same_end(gold: Word | None, system: Word | None, comparison: Comparison) -> bool:
    """Whether two ends of edges match, or are both the root."""
    if gold is None or system is None:
        return gold is system
    return comparison.gold_of.get(system) is gold


def uas(gold: Word, system: Word, comparison: Comparison) -> bool:
    return same_end(gold.head, system.head, comparison)


def las(gold: Word, system: Word, comparison: Comparison) -> bool:
    return uas(gold, system, comparison) and gold.relation == system.relation


def deprels(gold: Word, system: Word, comparison: Comparison) -> bool:
    return gold.fields[DEPREL] == system.fields[DEPREL]


def full_las(gold: Word, system: Word, comparison: Comparison) -> bool:
    return uas(gold, system, comparison) and deprels(gold, system, comparison)


def mlas(gold: Word, system: Word, comparison: Comparison) -> bool:
    return same_annotation(gold, system, comparison) and same_function_words(gold, system, comparison)


def same_annotation(gold: Word, system: Word, comparison: Comparison) -> bool:
    return las(gold, system, comparison) and upos(gold, system, comparison) and ufeats(gold, system, comparison)


def same_function_words(gold: Word, system: Word, comparison: Comparison) -> bool:
    ours, theirs = gold.function_words, system.function_words
    return len(ours) == len(theirs) and all(
        same_end(our, their, comparison)
        and our.relation == their.relation
        and upos(our, their, comparison)
        and ufeats(our, their, comparison)
        for our, their in zip(ours, theirs, strict=True)
    )


def blex(gold: Word, system: Word, comparison: Comparison) -> bool:
    return las(gold, system, comparison) and lemmas(gold, system, comparison)


# --- measures ---


@dataclass(frozen=True, eq=False)
class Judged:
    """The units of each side; of the gold's units those that are right and those that are aligned, if any can be."""

    gold: Sequence[Unit]
    system: Sequence[Unit]
    right: Sequence[Unit]
    aligned: Sequence[Unit] | None


def of_tokens(comparison: Comparison) -> Judged:
    return same_spans(comparison.gold.tokens, comparison.system.tokens)


def of_sentences(comparison: Comparison) -> Judged:
    return same_spans(comparison.gold.sentences, comparison.system.sentences)


def same_spans(gold: Sequence[Unit], system: Sequence[Unit]) -> Judged:
    spans = {unit.span for unit in system}
    return Judged(gold, system, [unit for unit in gold if unit.span in spans], None)


def of_words(comparison: Comparison) -> Judged:
    return Judged(comparison.gold.words, comparison.system.words, [gold for gold, _ in comparison.pairs], None)


def word_measure(right: Right, *, content_only: bool = False) -> Callable[[Comparison], Judged]:
    """The measure of words, or of content words, that are right."""

    def counts(word: Word) -> bool:
        return word.is_content or not content_only

    def judged(comparison: Comparison) -> Judged:
        aligned = [pair for pair in comparison.pairs if counts(pair[0])]
        return Judged(
            [word for word in comparison.gold.words if counts(word)],
            [word for word in comparison.system.words if counts(word)],
            [gold for gold, system in aligned if right(gold, system, comparison)],
            [gold for gold, _ in aligned],
        )

    return judged


def without_punctuation(right: Right) -> Callable[[Comparison], Judged]:
    """The measure of words that the gold does not attach as punct; of words without a match, those of their own."""

    def judged(comparison: Comparison) -> Judged:
        pairs = [pair for pair in comparison.pairs if pair[0].relation != "punct"]
        return Judged(
            [word for word in comparison.gold.words if word.relation != "punct"],
            [word for word in comparison.system.words if comparison.gold_of.get(word, word).relation != "punct"],
            [gold for gold, system in pairs if right(gold, system, comparison)],
            [gold for gold, _ in pairs],
        )

    return judged


def edge_measure(shown: Callable[[str], str]) -> Callable[[Comparison], Judged]:
    """The measure of edges, each counted with its lower end, by what is shown of their labels."""

    def judged(comparison: Comparison) -> Judged:
        return Judged(
            [word for word in comparison.gold.words for _ in word.edges],
            [word for word in comparison.system.words for _ in word.edges],
            [gold for gold, system in comparison.pairs for _ in equal_edges(gold, system, shown, comparison)],
            None,
        )

    return judged


def equal_edges(gold: Word, system: Word, shown: Callable[[str], str], comparison: Comparison) -> list[Edge]:
    """The edges of the gold word that an edge of the system word equals, each of which serves once."""
    left = list(system.edges)
    found = []
    for head, label in gold.edges:
        for edge in left:
            if same_end(head, edge[0], comparison) and shown(label) == shown(edge[1]):
                left.remove(edge)
                found.append((head, label))
                break
    return found


def without_subtypes(label: str) -> str:
    """A label, or each step of a path, without its subtype: `conj:and>nsubj:pass` is `conj>nsubj`."""
    return ">".join(map(without_subtype, label.split(">")))


def sentence_measure(right: Right) -> Callable[[Comparison], Judged]:
    """The measure of sentences all of whose words are right; aligned are those with the same span."""

    def judged(comparison: Comparison) -> Judged:
        system = {sentence.span: sentence for sentence in comparison.system.sentences}
        aligned = [(gold, system[gold.span]) for gold in comparison.gold.sentences if gold.span in system]
        return Judged(
            comparison.gold.sentences,
            comparison.system.sentences,
            [ours for ours, theirs in aligned if all_right(ours, theirs, right, comparison)],
            [ours for ours, _ in aligned],
        )

    return judged


def all_right(gold: Sentence, system: Sentence, right: Right, comparison: Comparison) -> bool:
    return len(gold.words) == len(system.words) and all(
        same_end(ours, theirs, comparison) and right(ours, theirs, comparison)
        for ours, theirs in zip(gold.words, system.words, strict=True)
    )


MEASURES: Mapping[str, tuple[Callable[[Comparison], Judged], tuple[int, ...]]] = {  # and the columns each needs
    "Tokens": (of_tokens, ()),
    "Sentences": (of_sentences, ()),
    "Words": (of_words, ()),
    "UPOS": (word_measure(upos), (UPOS,)),
    "XPOS": (word_measure(xpos), (XPOS,)),
    "UFeats": (word_measure(ufeats), (FEATS,)),
    "Feats": (word_measure(feats), (FEATS,)),
    "AllTags": (word_measure(all_tags), (UPOS, XPOS, FEATS)),
    "Lemmas": (word_measure(lemmas), (LEMMA,)),
    "UAS": (word_measure(uas), (HEAD,)),
    "LAS": (word_measure(las), (HEAD, DEPREL)),
    "FullLAS": (word_measure(full_las), (HEAD, DEPREL)),
    "Deprels": (word_measure(deprels), (DEPREL,)),
    "UAS-nopunct": (without_punctuation(uas), (HEAD, DEPREL)),
    "LAS-nopunct": (without_punctuation(las), (HEAD, DEPREL)),
    "CLAS": (word_measure(las, content_only=True), (HEAD, DEPREL)),
    "MLAS": (word_measure(mlas, content_only=True), (HEAD, DEPREL, UPOS, FEATS)),
    "BLEX": (word_measure(blex, content_only=True), (HEAD, DEPREL, LEMMA)),
    "ELAS": (edge_measure(str), (DEPS,)),
    "EULAS": (edge_measure(without_subtypes), (DEPS,)),
    "ExactUPOS": (sentence_measure(upos), (UPOS,)),
    "ExactUAS": (sentence_measure(uas), (HEAD,)),
    "ExactLAS": (sentence_measure(las), (HEAD, DEPREL)),
}
OF_WORDS = "UPOS XPOS UFeats Feats AllTags Lemmas UAS LAS FullLAS Deprels UAS-nopunct LAS-nopunct".split()
OF_WORDS += "CLAS MLAS BLEX".split()


@lru_cache(maxsize=4)
def measured(comparison: Comparison) -> dict[str, Judged]:
    """The measures for which both sides have the columns."""
    return {
        name: judged(comparison)
        for name, (judged, columns) in MEASURES.items()
        if all(comparison.gold.has(column) and comparison.system.has(column) for column in columns)
    }


# --- counts ---

Counts: TypeAlias = tuple[int, int, float, int | None]  # gold, system, right, aligned
GroupCounts: TypeAlias = dict[str, dict[str, Counts]]  # of each group and measure


def totals(judged: Judged) -> Counts:
    n_aligned = None if judged.aligned is None else len(judged.aligned)
    return len(judged.gold), len(judged.system), len(judged.right), n_aligned


def counts_by_sentence(comparison: Comparison) -> dict[str, list[Counts]]:
    """The counts of each measure and gold sentence: a unit is counted where it begins."""
    numbers = range(len(comparison.gold.sentences))
    number_of = by_beginning(numbers, comparison)
    found = {}
    for name, judged in measured(comparison).items():
        rows = sorted_into(judged, number_of)
        none = 0, 0, 0, None if judged.aligned is None else 0
        found[name] = [rows.get(number, none) for number in numbers]
    return found


Key = TypeVar("Key")


def by_beginning(keys: Sequence[Key], comparison: Comparison) -> dict[Unit, Key]:
    """For each unit of either side the key of the gold sentence in which it begins."""
    gold, system = comparison.gold, comparison.system
    units: list[Unit] = [*gold.tokens, *gold.sentences, *gold.words, *system.tokens, *system.sentences, *system.words]
    return {unit: keys[comparison.sentence_at[unit.start]] for unit in units}


def sorted_into(judged: Judged, key_of: Mapping[Unit, Key]) -> dict[Key, Counts]:
    """The counts of the units that have each key."""
    gold, system, right, aligned = (
        Counter(key_of[unit] for unit in units or ())
        for units in (judged.gold, judged.system, judged.right, judged.aligned)
    )
    return {
        key: (gold[key], system[key], right[key], None if judged.aligned is None else aligned[key])
        for key in gold.keys() | system.keys()
    }


# --- splits ---

Label: TypeAlias = Callable[[Word], str]

LABELS: Mapping[str, tuple[Label, int]] = {  # and the column it is taken from
    "upos": (lambda word: word.fields[UPOS], UPOS),
    "xpos": (lambda word: word.fields[XPOS], XPOS),
    "deprel": (lambda word: word.relation, DEPREL),
    "full-deprel": (lambda word: word.fields[DEPREL], DEPREL),
}
INCLUDING_LABEL: Mapping[str, set[str]] = {  # the measures in which a word is only right with the same label
    "upos": {"UPOS", "AllTags", "MLAS"},
    "xpos": {"XPOS", "AllTags"},
    "deprel": {"LAS", "LAS-nopunct", "FullLAS", "Deprels", "CLAS", "MLAS", "BLEX"},
    "full-deprel": {"FullLAS", "Deprels"},
}
INCLUDING_HEAD = {"UAS", "LAS", "UAS-nopunct", "LAS-nopunct", "FullLAS", "CLAS", "MLAS", "BLEX"}
BINS = {"1–10": range(1, 11), "11–20": range(11, 21), "21–30": range(21, 31), "31–40": range(31, 41)}


def counts_by(split: str, comparison: Comparison) -> GroupCounts:
    """The counts of each group of upos, xpos, deprel, full-deprel, distance, direction, feats, document or length."""
    if split == "feats":
        return counts_by_feature(comparison)
    if split in ("distance", "direction"):
        shown = distance if split == "distance" else direction
        return counts_by_label(lambda word: shown(offset(word, comparison)), INCLUDING_HEAD, comparison)
    if split in LABELS:
        return counts_by_label(LABELS[split][0], INCLUDING_LABEL[split], comparison)
    groups = documents(comparison.gold) if split == "document" else lengths(comparison.gold)
    group_of = by_beginning(groups, comparison)
    return by_group({name: sorted_into(judged, group_of) for name, judged in measured(comparison).items()})


def by_group(counts: Mapping[str, Mapping[str, Counts]]) -> GroupCounts:
    """The counts of each group and measure from those of each measure and group."""
    found: GroupCounts = {}
    for name, groups in counts.items():
        for group, row in groups.items():
            found.setdefault(group, {})[name] = row
    return found


def documents(corpus: Corpus) -> list[str]:
    """The document that each sentence is in: what `# newdoc id` says, or its number."""
    found: list[str] = []
    n_documents = 0
    for sentence in corpus.sentences:
        if sentence.newdoc is not None or not found:
            n_documents += 1
            found.append(sentence.newdoc or f"document {n_documents}")
        else:
            found.append(found[-1])
    return found


def lengths(corpus: Corpus) -> list[str]:
    """The bin that each sentence's number of words is in."""
    n_words = [len(sentence.words) for sentence in corpus.sentences]
    return [next((name for name, lengths in BINS.items() if n in lengths), "41+") for n in n_words]


def counts_by_label(label: Label, including_label: set[str], comparison: Comparison) -> GroupCounts:
    """The counts of words with each label.

    A system word has its own label where being right includes having it; otherwise that of the gold word it matches, or
    its own if it matches none.
    """

    own: dict[Unit, str] = {word: label(word) for word in comparison.gold.words + comparison.system.words}
    of_gold = own | {system: own[gold] for gold, system in comparison.pairs}
    return by_group(
        {
            name: sorted_into(judged, own if name in including_label else of_gold)
            for name, judged in measured(comparison).items()
            if name in OF_WORDS
        }
    )


def offset(word: Word, comparison: Comparison) -> int:
    """How far to the right the head is, 0 for a root; between words that match counted in words of the gold."""
    if word.head is None:
        return 0
    ends = [comparison.gold_of.get(end) for end in (word, word.head)]
    if ends[0] is not None and ends[1] is not None:
        return comparison.gold.place_of[ends[1]] - comparison.gold.place_of[ends[0]]
    own = (comparison.gold if word in comparison.gold.place_of else comparison.system).place_of
    return own[word.head] - own[word]


def distance(offset: int) -> str:
    far = abs(offset)
    return "root" if far == 0 else str(far) if far < 3 else "3–6" if far < 7 else "7+"


def direction(offset: int) -> str:
    return "left" if offset < 0 else "right" if offset > 0 else "root"


def counts_by_feature(comparison: Comparison) -> GroupCounts:
    """Of each feature the words of each side that have it; right are those with the same value, or values."""

    def values(word: Word, name: str) -> set[str]:
        return {feature for feature in word.features if feature.split("=")[0] == name}

    words = comparison.gold.words + comparison.system.words
    found: GroupCounts = {}
    for name in {feature.split("=")[0] for word in words for feature in word.features}:
        gold, system = (
            [word for word in side.words if values(word, name)] for side in (comparison.gold, comparison.system)
        )
        pairs = [pair for pair in comparison.pairs if values(pair[0], name)]
        n_right = sum(values(ours, name) == values(theirs, name) for ours, theirs in pairs)
        found[name] = {"Feats": (len(gold), len(system), n_right, len(pairs))}
    return found


def counts_by_lexicon(comparison: Comparison, lexicon: Corpus) -> GroupCounts:
    """The counts of words by the number of tags that the lexicon has for the gold's form; known are both kinds."""
    tags: dict[str, set[str]] = {}
    for word in lexicon.words:
        tags.setdefault(word.fields[FORM], set()).add(word.fields[UPOS])

    def kind(word: Word) -> str:
        n_tags = len(tags.get(word.fields[FORM], ()))
        return "unknown" if n_tags == 0 else "unambiguous" if n_tags == 1 else "ambiguous"

    def is_known(word: Word) -> str:
        return "known" if word.fields[FORM] in tags else "unknown"

    return counts_by_label(kind, set(), comparison) | counts_by_label(is_known, set(), comparison)


def confusions(column: str, comparison: Comparison) -> dict[tuple[str, str], int]:
    """How many matching words have each pair of labels, the gold's first."""
    label = LABELS[column][0]
    return dict(Counter((label(gold), label(system)) for gold, system in comparison.pairs))
