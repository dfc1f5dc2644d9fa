"""Documents by a comment of each sentence: for corpora that mark none, or whose sentences were shuffled.

UD_Polish-PDB says in `# orig_file_sentence = FILE#NUMBER` which text a sentence is from, and has the sentences of a
text in any order, over two files. Such documents are groups of sentences, not runs: `Corpus.document_groups` has them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_keys, numbered_values
from karat.corpus._corpus import Corpus
from karat.corpus.interning import Spans, interned
from karat.corpus.lines import Lines, find_lines
from karat.errors import DataError, Problem, UsageError

# PDB: the file's name up to #, without the layer (_morph…) and the half of a text (_A, _B) that it ends in
_PATTERNS = {"orig_file_sentence": r"\A\s*([^#]*?)(?:_[AB])?(?:_morph[^#]*)?\s*(?:#.*)?\Z"}
_WHOLE = r"\A(.*)\Z"
_SECONDS = 10.0  # that a pattern of the user's may take on all values together
NO_DOCUMENT = "W105"
_NAME = re.compile(r"[^\s=#][^=]*")
_MOST_NAMED = 8
_MATCH = """
import json, re, sys
pattern, values = json.load(sys.stdin)
found = [re.search(pattern, value, re.S) for value in values]
json.dump([match and match[1] for match in found], sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class DocumentComment:
    """The comment that names the document of a sentence, and the pattern whose first group is that name in it.

    Without a `pattern`, the whole value is the name, but for `orig_file_sentence`: there it is the value up to `#`,
    without `_morph…` and without a final `_A` or `_B`.
    """

    field: str
    pattern: str | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.field):
            raise UsageError(f"no comment can be called {self.field!r}; name one such as orig_file_sentence")
        if self.pattern is None:
            return
        try:
            n_groups = re.compile(self.pattern).groups
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(f"the document pattern {self.pattern!r} is not a regular expression: {error}") from None
        if not n_groups:
            raise UsageError(f"the document pattern {self.pattern!r} has no group: put ( ) around the document's name")

    def signed(self) -> list[tuple[str, str]]:
        """The settings that a signature names."""
        pattern = [] if self.pattern is None else [("document-pattern", self.pattern.replace("|", "%7C"))]
        return [("document-from", self.field), *pattern]

    def names(self, values: Sequence[str]) -> list[str | None]:
        """The document that each of the comment's values names; None where the pattern does not match.

        >>> DocumentComment("orig_file_sentence").names(["130-2_morph_2-p#12", "NKJP_A#3", "NKJP_B_morph#1"])
        ['130-2', 'NKJP', 'NKJP']
        """
        if self.pattern is not None:
            return _matched_in_time(self.pattern, values)
        pattern = re.compile(_PATTERNS.get(self.field, _WHOLE), re.DOTALL)
        return [match[1] if (match := pattern.match(value)) else None for value in values]


def document_comment(document_from: str | None, document_pattern: str | None = None) -> DocumentComment | None:
    """The comment that is asked for; None where none is. A pattern alone is a `UsageError`."""
    if document_from is None:
        if document_pattern is not None:
            raise UsageError("a document pattern needs the name of the comment that it is for (document_from)")
        return None
    return DocumentComment(document_from, document_pattern)


def _matched_in_time(pattern: str, values: Sequence[str]) -> list[str | None]:
    """The first group of a pattern in each value, or None.

    A pattern such as `(a+)+b` can take for ever. So a process of its own looks, which can be stopped.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _MATCH],
            input=json.dumps([pattern, list(values)]).encode(),
            stdout=subprocess.PIPE,
            timeout=_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"the document pattern {pattern!r} takes more than {_SECONDS:g} seconds: repetitions inside repetitions "
            "make it try too many ways; write it without them, as in ([^#]*)#"
        ) from None
    found: list[str | None] = json.loads(done.stdout)
    return found


def with_documents(corpus: Corpus, comment: DocumentComment | None, *, may_lack: bool = False) -> Corpus:
    """The corpus with the documents that a comment names, whatever else marks documents; the same corpus for None.

    A sentence that lacks the comment, or has one that the pattern does not match, is a document of its own, without a
    name; how many there are is the warning W105 of the corpus. Where that is every sentence, it is a `DataError`
    (K607), unless it `may_lack` the comment: then it keeps the documents that it marks. Sentences of different files
    whose comments name the same document are of one document.
    """
    if comment is None:
        return corpus
    if corpus.format != "conllu":
        if may_lack:
            return corpus
        raise UsageError(f"{corpus.path} ({corpus.format}): only CoNLL-U has comments that name documents")
    lines = find_lines(corpus.source, len(corpus.names))
    value_of, values = _values(corpus, lines, comment.field)
    names = [name.strip() or None if name else None for name in comment.names(values)]
    codes: dict[str, int] = {}
    of_value = np.append(numbered_values((name or "" for name in names), codes), 0).astype(np.intp)
    is_named = np.array([*(name is not None for name in names), False])[value_of]
    if not is_named.any():
        if may_lack:
            return corpus
        raise DataError(_no_such_comment(corpus, lines, comment, has_values=bool(values)))
    keys = np.where(is_named, of_value[value_of], len(codes) + np.arange(corpus.n_sentences))
    _, groups = numbered_keys(keys)
    _, first = np.unique(groups, return_index=True)
    oddities = (*corpus.oddities, *_without_comment(corpus, comment, is_named))
    return replace(
        corpus,
        document_groups=groups,
        document_names=tuple(
            names[one] if one >= 0 else None for one in np.where(is_named, value_of, -1)[first].tolist()
        ),
        oddities=oddities,
    )


def _values(corpus: Corpus, lines: Lines, name: str) -> tuple[Indices, list[str]]:
    """For each sentence the number of its value of a comment, -1 where it has none; and the distinct values."""
    spans, block = _comments_called(corpus, lines, name)
    first_words = corpus.word_rows.take(corpus.sentence_offsets[:-1], mode="clip")  # a bad sentence may have no words
    rows = np.searchsorted(lines.edges[0], corpus.edges[0].take(first_words))
    sentence_block = lines.row_block.take(rows)
    found = np.searchsorted(block, sentence_block)  # comments come in the order of blocks: the first of several counts
    has_one = np.append(block, -1).take(found) == sentence_block
    ids, first = interned(spans)
    value_of = np.where(has_one, np.append(ids, -1).take(found), -1).astype(np.intp)
    return value_of, spans[first].strings()


def _comments_called(corpus: Corpus, lines: Lines, name: str) -> tuple[Spans, Ids]:
    """The values of all comments `# name = value`, and the block of lines that each stands in."""
    data, written = corpus.source.buffer.data, name.encode()
    pattern = re.compile(rb"#[ \t]*" + re.escape(written) + rb"[ \t]*=[ \t]*")
    reach = len(written) + 2  # "# " and the name: few comments differ in so many bytes and are called so
    openings = Spans(
        corpus.source, lines.comment_start, np.minimum(lines.comment_start + np.int32(reach), lines.comment_stop)
    )
    ids, first = interned(openings)
    is_likely = [_may_be_called(text, name) for text in openings[first].strings()]
    likely = np.flatnonzero(np.array(is_likely, dtype=np.bool_).take(ids)) if is_likely else np.zeros(0, dtype=np.intp)
    start, stop, kept = [], [], []
    for number in likely.tolist():
        text = bytes(data[lines.comment_start[number] : lines.comment_stop[number]])
        match = pattern.match(text)
        if match and text[match.end() :].strip():
            kept.append(number)
            start.append(int(lines.comment_start[number]) + match.end())
            stop.append(int(lines.comment_start[number]) + len(text.rstrip()))
    spans = Spans(corpus.source, np.array(start, dtype=np.int32), np.array(stop, dtype=np.int32))
    return spans, lines.comment_block.take(np.array(kept, dtype=np.intp))


def _may_be_called(opening: str, name: str) -> bool:
    bare = opening[1:].lstrip(" \t")
    return bare.startswith(name) or (len(bare) < len(name) and name.startswith(bare))


def _without_comment(corpus: Corpus, comment: DocumentComment, is_named: Flags) -> list[Problem]:
    """The one warning about sentences that no document is named for; none if there are none."""
    nameless = np.flatnonzero(~is_named)
    if not len(nameless):
        return []
    n, of = len(nameless), corpus.n_sentences
    message = (
        f"{n:,} of {of:,} sentences have no comment {comment.field} that names a document: each is a document of its "
        "own; this is the first"
    )
    first_word = corpus.word_rows.take(corpus.sentence_offsets[nameless[0]], mode="clip")
    place = int(corpus.edges[0, first_word]) + 1
    return [corpus.source.problem(NO_DOCUMENT, message, place)]


def _no_such_comment(corpus: Corpus, lines: Lines, comment: DocumentComment, *, has_values: bool) -> Problem:
    if has_values:
        message = f"the pattern {comment.pattern!r} matches no comment {comment.field}"
        return Problem("K607", message, corpus.path, hint="its first group must be the document's name, not empty")
    comments = Spans(corpus.source, lines.comment_start[:1000], lines.comment_stop[:1000]).strings()
    called = (text[1:].partition("=")[0].strip() for text in comments if "=" in text)
    some = [*dict.fromkeys(name for name in called if name)][:_MOST_NAMED]
    hint = f"the comments here are {', '.join(some)}" if some else "the file has no comments of the form # name = value"
    return Problem("K607", f"no sentence has the comment # {comment.field} = …", corpus.path, hint=hint)
