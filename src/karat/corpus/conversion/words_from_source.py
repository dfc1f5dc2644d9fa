"""Any input as words with interpretations, which all formats are converted through; and what is lost by that.

A tag of CoNLL-U, TSV, tagged running text or a tree is a chosen interpretation; `_` is none.
"""

from __future__ import annotations

import re

import numpy as np

from karat._arrays import Bytes, Indices
from karat._ragged import offsets_of, owners_of
from karat.corpus._corpus import Corpus
from karat.corpus.analysed import NO_SPACE, SPACE, AnalysedText, interned_strings
from karat.corpus.answers import answers_from_column
from karat.corpus.conversion.losses import Losses
from karat.corpus.formats import ANALYSED, FORMATS, analysed_from_source, corpus_from_source
from karat.corpus.lines import find_lines
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.readers.conllu import COLUMNS
from karat.corpus.source import Source
from karat.corpus.tagged_trees import words_of_trees
from karat.errors import UsageError

NO_TAG = "_"
_NO_SPACE_AFTER = "SpaceAfter=No"
_NEWPAR = re.compile(r"#[ \t]*newpar(?:[ \t]+id[ \t]*=[ \t]*(.*?))?[ \t]*")
_KEPT_COMMENT = re.compile(r"#[ \t]*(?:(?:sent_id|text)[ \t]*=|newpar\b|newdoc\b)")


def words_from_source(source: Source, format_: str, *, column: str, losses: Losses) -> AnalysedText:
    """The words of a source that has been read, in a format that has words; what they do not tell is a loss.

    `column` is the one of CoNLL-U that has the tags.
    """
    if format_ == "brackets":
        return _words_of_trees(source, losses)
    if format_ in ANALYSED:
        text = analysed_from_source(source, format_)
        for what, n in text.left_out:
            losses.add(f"elements <{what}>", n)
        return text
    corpus = corpus_from_source(source, input=format_, tag=column, several_tags=True, trees=False)
    return _words_of_conllu(corpus, column, losses) if format_ == "conllu" else _words_of_tagged(corpus, column, losses)


def _words_of_trees(source: Source, losses: Losses) -> AnalysedText:
    trees = brackets_from_source(source)
    text = words_of_trees(trees)
    losses.add("phrases", trees.n_nodes)
    losses.add("traces", int(trees.traces.sum()))
    losses.add("sentences without words", trees.n_trees - len(text.sentence_offsets) + 1)
    return text


def _words_of_tagged(corpus: Corpus, column: str, losses: Losses) -> AnalysedText:
    answers = answers_from_column(corpus, column)
    cells = [cell for value in corpus.column(column).strings() for cell in value.split("\t")]
    n_cells = sum(cell != NO_TAG for cell in cells)
    losses.add("tags of probability 0, or given twice", n_cells - len(answers.tags))
    for name in corpus.names if corpus.format not in FORMATS else ():  # of a plug-in
        if name not in ("form", "lemma", column):
            values = corpus.column(name)
            losses.add(f"{name.upper()} of words", int((values.ids != values.vocabulary.find("_")).sum()))
    if corpus.format == "tsv":
        losses.add("comments", len(find_lines(corpus.source, 2, comments="untabbed").comment_start))
    n = len(answers.tags)
    has_lemmas = "lemma" in corpus.names and column != "lemma"
    lemmas = corpus.column("lemma").strings() if has_lemmas else [""] * corpus.n_words
    names = np.array(answers.names, dtype=object)
    return AnalysedText(
        form=interned_strings(corpus.column("form").strings()),
        space=None,
        place=corpus.edges[0].take(corpus.word_rows) + np.int32(1),
        interpretation_offsets=answers.offsets,
        lemma=interned_strings(lemmas[word] for word in owners_of(answers.sizes).tolist()),
        tag=interned_strings(names.take(answers.tags).tolist() if n else []),
        chosen=np.ones(n, dtype=np.bool_),
        probability=answers.probabilities,
        sentence_offsets=corpus.sentence_offsets,
        path=corpus.path,
        format=corpus.format,
    )


# --- CoNLL-U ---


def _words_of_conllu(corpus: Corpus, column: str, losses: Losses) -> AnalysedText:
    if not corpus.has(column):
        raise UsageError(f"no word of {corpus.path} has anything in {column.upper()}; `column=NAME` names another")
    form, lemma, tag, misc = (corpus.column(name).strings() for name in ("form", "lemma", column, "misc"))
    key = f"{column.upper()}Alt="
    others = {text: _other_tags(text, key) for text in corpus.column("misc").vocabulary.strings}
    tags = [
        tuple(dict.fromkeys((first, *others[text]))) if first != NO_TAG else ()
        for first, text in zip(tag, misc, strict=True)
    ]
    lemma = ["" if one == "_" != word else one for one, word in zip(lemma, form, strict=True)]
    sizes = np.array([len(one) for one in tags], dtype=np.intp)
    owner = owners_of(sizes).tolist()
    paragraph_offsets, paragraph_names = _paragraphs(corpus, losses)
    _count_lost_fields(corpus, column, key, losses)
    losses.add(
        "lemmas of words without a tag", sum(not has and bool(one) for has, one in zip(tags, lemma, strict=True))
    )
    return AnalysedText(
        form=interned_strings(form),
        space=_spaces(corpus, misc),
        place=corpus.edges[0].take(corpus.word_rows) + np.int32(1),
        interpretation_offsets=offsets_of(sizes),
        lemma=interned_strings(lemma[word] for word in owner),
        tag=interned_strings(one for several in tags for one in several),
        chosen=np.ones(len(owner), dtype=np.bool_),
        probability=np.full(len(owner), np.nan),
        sentence_offsets=corpus.sentence_offsets,
        paragraph_offsets=paragraph_offsets,
        sentence_names=tuple(corpus.sent_ids.strings()),
        paragraph_names=paragraph_names,
        path=corpus.path,
        format="conllu",
    )


def _other_tags(misc: str, key: str) -> list[str]:
    """The further tags that MISC names."""
    fields = [field.removeprefix(key) for field in misc.split("|") if field.startswith(key)]
    return [tag for field in fields for tag in field.split(",") if tag]


def _spaces(corpus: Corpus, misc: list[str]) -> Bytes:
    """What stands before each word: nothing where the one before it, or its surface token, is not followed by any."""
    is_glued = np.array([_NO_SPACE_AFTER in text.split("|") for text in misc], dtype=np.bool_)
    surface = corpus.multiword
    if len(surface):
        of_surface = corpus.spans("misc", surface.rows).strings()
        is_glued[surface.stop - 1] = [_NO_SPACE_AFTER in text.split("|") for text in of_surface]
    return np.where(np.append(False, is_glued[:-1]), NO_SPACE, SPACE).astype(np.uint8)


def _paragraphs(corpus: Corpus, losses: Losses) -> tuple[Indices | None, tuple[str, ...]]:
    """Where paragraphs, and documents with them, begin among the sentences, and their names; comments are counted."""
    lines = find_lines(corpus.source, len(COLUMNS))
    first_rows = np.flatnonzero(np.diff(lines.row_block, prepend=-1))
    sentences = np.searchsorted(lines.row_block.take(first_rows), lines.comment_block).tolist()
    bounds = zip(sentences, lines.comment_start.tolist(), lines.comment_stop.tolist(), strict=True)
    names: dict[int, str] = dict.fromkeys(corpus.document_offsets[:-1].tolist() if corpus.has_documents else (), "")
    n_others = 0
    for sentence, start, stop in bounds:
        comment = corpus.source.text(start, stop)
        match = _NEWPAR.fullmatch(comment)
        if match and sentence < corpus.n_sentences:
            names[sentence] = match[1] or ""
        n_others += not _KEPT_COMMENT.match(comment)
    losses.add("documents", corpus.n_documents if corpus.has_documents else 0)
    losses.add("comments other than sent_id, text and newpar", n_others)
    if not names:
        return None, ()
    names.setdefault(0, "")
    first = sorted(names)
    return np.array([*first, corpus.n_sentences]), tuple(names[sentence] for sentence in first)


def _count_lost_fields(corpus: Corpus, column: str, key: str, losses: Losses) -> None:
    """Count what other columns say."""
    for name in COLUMNS[3:-1]:
        if name != column:
            values = corpus.column(name)
            losses.add(f"{name.upper()} of words", int((values.ids != values.vocabulary.find("_")).sum()))
    misc = corpus.column("misc")
    says_more = [_says_more(text, key) for text in misc.vocabulary.strings]
    losses.add("MISC of words", int(np.array(says_more, dtype=np.bool_).take(misc.ids).sum()))
    losses.add("multiword tokens (their words are kept)", len(corpus.multiword))
    losses.add("empty nodes", len(corpus.empty_nodes))


def _says_more(misc: str, key: str) -> bool:
    """Whether MISC has anything but a space and further tags."""
    kept = ("_", _NO_SPACE_AFTER)
    return any(field not in kept and not field.startswith(key) for field in misc.split("|"))
