"""Weights by ambiguity from files: which forms a corpus has, and which tags they can have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.corpus.formats import ANALYSED, analysed_from_source, sniffed
from karat.errors import DataError, Problem, UsageError
from karat.signature import shown_input
from karat.tagsets import Tagset, read_tagset
from karat.tagsets.morfeusz import morfeusz_tags
from karat.weights._weights import Weights
from karat.weights.ambiguity import Per, ambiguity

_PER = {
    "bearing": "the mean number of values per word that has the category",
    "word": "the mean number of values per word",
    "excess": "the mean number of values beyond one, per word that has the category",
}


def ambiguity_weights(
    corpus: PathLike | Sequence[PathLike],
    tagset: PathLike | Tagset = "nkjp",
    *,
    lexicon: PathLike | Sequence[PathLike] = (),
    morfeusz: bool = False,
    per: Per = "bearing",
    column: str | None = None,
    input: str | None = None,
    conditional: bool = False,
) -> Weights:
    """Weights by ambiguity: how many values a category has on a word of the corpus, on average.

    Which tags a word can have is told by the corpus itself, by a `lexicon`, which is another corpus, or by Morfeusz 2.
    The mean is `per` word that bears the category, per word, or of what is beyond one value. The notes tell of words
    without an analysis, and of tags that are not of the tagset.
    """
    if morfeusz and lexicon:
        raise UsageError("morfeusz and a lexicon cannot be used together")
    known = read_tagset(tagset)
    has_features = known.cut == "features"
    tags_of: Callable[[str], Collection[str]]
    name = column or ("upos" if has_features else "xpos")
    analysed = None if morfeusz or lexicon else _analysed(corpus, input)
    text = read_tagged(corpus, name, input)
    forms = Counter(text.column("form").strings())
    if analysed is not None:
        forms, tags_of = analysed
        source = "its own interpretations"
    elif morfeusz:
        tags_of = morfeusz_tags()
        source = "Morfeusz 2"
    else:
        other = read_tagged(lexicon, name, input) if lexicon else text
        tags = _tags_of_forms(other, name, has_features)
        tags_of = lambda form: tags.get(form, ())  # noqa: E731
        source = shown_input(other.path, other.source.sha256())
    found = ambiguity(forms, tags_of, known, per=per)
    made = (
        f"ambiguity: {_PER[per]}; tags from {source}; words of {shown_input(text.path, text.source.sha256())}; "
        f"{found.tags:.4f} tags per word"
    )
    notes = [f"{found.tags:.2f} tags per word on {found.n_words:,} words; {found.n_unknown:,} have no analysis."]
    if found.bad:
        some = "; ".join(f"{tag}: {why}" for tag, why in list(found.bad.items())[:3])
        notes.append(f"{len(found.bad):,} tags are not in the tagset and are ignored: {some}")
    absolute = {} if conditional else _ordered(found.absolute, known)
    by_pos = {pos: _ordered(table, known) for pos, table in found.conditional.items()} if conditional else {}
    values = [value for table in (absolute, *by_pos.values()) for value in table.values()]
    if values and not any(values):
        raise UsageError(f"no word has two values of a category, so there are no weights. {notes[0]}")
    return Weights("ambiguity", absolute, by_pos, made, known.name, notes=tuple(notes))


def _analysed(
    paths: PathLike | Sequence[PathLike], input: str | None
) -> tuple[Counter[str], Callable[[str], Collection[str]]] | None:
    """The words of an analysed text with all their interpretations; None if it is no such text.

    A form may have other interpretations elsewhere: a word is told by them too.
    """
    source = read_source(paths)
    format_ = input or sniffed(source)
    if format_ not in ANALYSED:
        return None
    text = analysed_from_source(source, format_)
    tags: dict[str, list[str]] = {}
    found: Counter[str] = Counter()
    names = text.tag.strings
    bounds = text.interpretation_offsets.tolist()
    ids = text.tag.ids.tolist()
    for word in text.segmentation.tolist():
        several = list(dict.fromkeys(names[number] for number in ids[bounds[word] : bounds[word + 1]]))
        key = "\t".join([text.form[word], *several])
        tags[key] = several
        found[key] += 1
    return found, tags.__getitem__


def _ordered(table: Mapping[str, float], tagset: Tagset) -> dict[str, float]:
    """The weights in the tagset's order, rounded to what the numbers of words bear out."""
    order = {name: number for number, name in enumerate(("pos", *tagset.categories))}
    return {name: round(table[name], 6) for name in sorted(table, key=lambda one: order.get(one, len(order)))}


def read_tagged(paths: PathLike | Sequence[PathLike], column: str, input: str | None) -> Corpus:
    """A corpus that has tags in a column."""
    corpus = corpus_from_source(read_source(paths), input=input, tag=column, several_tags=True, trees=False)
    if not corpus.has(column):
        raise DataError(Problem("K501", f"weights need {column.upper()}, which this file does not have", corpus.path))
    return corpus


def _tags_of_forms(corpus: Corpus, column: str, has_features: bool) -> dict[str, list[str]]:
    """The tags that each form has somewhere in a corpus."""
    forms, values = corpus.column("form"), corpus.column(column)
    columns = [values.ids.tolist()]
    if has_features and corpus.has("feats"):
        columns.append(corpus.column("feats").ids.tolist())
    found: dict[str, list[str]] = {}
    names = forms.vocabulary.strings
    for form, *ids in dict.fromkeys(zip(forms.ids.tolist(), *columns, strict=True)):
        text = values.vocabulary.strings[ids[0]]
        if len(ids) > 1:
            text = f"{text}|{corpus.column('feats').vocabulary.strings[ids[1]]}"
        tags = [piece.rpartition(":=")[0] if ":=" in piece else piece for piece in text.split("\t")]
        found.setdefault(names[form], []).extend(tag for tag in tags if tag and tag != "_")
    return found
