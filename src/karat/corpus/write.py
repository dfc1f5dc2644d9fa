"""Writing a corpus back: the bytes that were read, but for the fields that were changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from karat.corpus._corpus import Corpus
from karat.corpus.files import compressed, replace_file, replace_files
from karat.corpus.readers.key import Keys
from karat.corpus.source import Part, PathLike, Source, as_in_file, source_from_files
from karat.errors import UsageError

if TYPE_CHECKING:
    from karat.corpus.analysed import AnalysedText
    from karat.corpus.new_choices import Edit

Changes = Mapping[tuple[int, str], str]  # (word, name of the column) → new value
_NO_TAG = "_"


def changed_bytes(corpus: Corpus, changes: Changes | None = None, *, part: int = 0) -> bytes:
    """The bytes of one of the corpus's files, with the changed fields replaced and everything else as it was.

    In formats whose words have interpretations (XCES, CCL, plain, KRNNT's table, graphs), a new value is the tag that
    is to be chosen, or several with tabs between, or `_` for none: see `karat.corpus.new_choices`.
    """
    edits, refused = edits_of(corpus, changes or {})
    for word, (reason, _) in refused.items():
        raise UsageError(f"word {word} cannot be changed: {reason}")
    return edited_bytes(corpus.source, corpus.source.parts[part], edits)


def changed_key_bytes(keys: Keys, changes: Mapping[int, str], *, part: int = 0) -> bytes:
    """The bytes of one of the files of keys, with the tags of some instances replaced."""
    found = []
    for instance, tags in changes.items():
        start, stop = keys.tags_span(instance)
        found.append((start, stop, tags.encode() if stop > start else f" {tags}".encode()))
    return edited_bytes(keys.source, keys.source.parts[part], found)


def edited_bytes(source: Source, part: Part, edits: Iterable[Edit]) -> bytes:
    """The bytes of one of a source's files with some of them replaced."""
    pieces: list[bytes] = []
    done = part.start
    for start, stop, value in sorted(edits):
        if part.start <= start <= part.stop:
            pieces += [source.buffer[done:start].tobytes(), value]
            done = stop
    return as_in_file(part, b"".join([*pieces, source.buffer[done : part.stop].tobytes()]))


def edits_of(
    corpus: Corpus, changes: Changes, text: AnalysedText | None = None
) -> tuple[list[Edit], dict[int, tuple[str, str]]]:
    """What changes mean for the bytes of a corpus; and the words whose format cannot hold them, with reason and hint.

    `text` is the analysed text that the corpus was made from, if it has been read already.
    """
    if changes and not corpus.can_be_written:
        raise UsageError(f"{corpus.path}: the format {corpus.format} can be read, not written")
    found: list[Edit] = []
    for (word, name), value in changes.items():
        _refuse_impossible(corpus, word, name, value)
        if corpus.has_fields_in_source:
            spans = corpus.spans(name, np.array([corpus.word_rows[word]]))
            found.append((int(spans.start[0]), int(spans.stop[0]), value.encode()))
    if corpus.has_fields_in_source or not changes:
        return found, {}
    from karat.corpus.formats import analysed_from_source
    from karat.corpus.new_choices import edits_of_choices

    text = analysed_from_source(corpus.source, corpus.format) if text is None else text
    number = text.segmentation
    tag = corpus.column(corpus.names[1])
    wishes = {}
    for word in dict.fromkeys(word for word, _ in changes):
        value = changes.get((word, corpus.names[1]), tag.vocabulary[tag.ids[word]])
        tags = () if value == _NO_TAG else tuple(dict.fromkeys(value.split("\t")))
        wishes[int(number[word])] = tags, changes.get((word, "lemma"))
    edits, refused = edits_of_choices(text, corpus.source, wishes)
    word_of = {int(number[word]): word for word, _ in changes}
    return edits, {word_of[one]: why for one, why in refused.items()}


def _refuse_impossible(corpus: Corpus, word: int, name: str, value: str) -> None:
    is_fixed = name == "id" or (name == "form" and not corpus.has_fields_in_source)
    if name not in corpus.names or is_fixed:
        raise UsageError(f"no column {name!r} to change; this corpus has {', '.join(corpus.names)}")
    if not 0 <= word < corpus.n_words:
        raise UsageError(f"no word {word} to change; this corpus has {corpus.n_words}")
    if not isinstance(value, str):
        raise UsageError(f"the value of a field is a string, not {value!r}")
    is_last = corpus.format == "tsv" and name == corpus.names[-1]  # it may hold several tags, with tabs between
    may_be_several = is_last or (not corpus.has_fields_in_source and name != "lemma")
    if not value or any(mark in value for mark in ("\n\r\0" if may_be_several else "\t\n\r\0")):
        raise UsageError(f"{value!r} cannot be the value of a field")


def write(corpus: Corpus, path: PathLike, changes: Changes | None = None) -> None:
    """Write a corpus that was read from one file; .gz, .bz2 and .xz are compressed. No half-written file is left."""
    if len(corpus.source.parts) != 1:
        raise UsageError("write a corpus of several files one by one, with changed_bytes")
    data = compressed(changed_bytes(corpus, changes), os.fspath(path))
    replace_file(os.path.realpath(path), data)


# ---- a corpus of several files ---------------------------------------------------------------------------------------


def part_targets(source: Source, path: PathLike, inputs: Iterable[PathLike] = ()) -> list[str]:
    """The names under which the files of a source are written again: one file, or a folder for several.

    What was read, the source's own files and other `inputs`, is never written over: a `UsageError`.
    """
    parts = source.parts
    if os.fspath(path) == "-":
        raise UsageError("give a file name for the corpus, not -: standard output is for the result")
    is_folder = len(parts) > 1 or bool(source.folder)
    if os.path.isdir(path) and not is_folder:
        raise UsageError(f"{os.fspath(path)} is a folder; name the file to write")
    targets = [os.path.join(path, os.path.basename(part.path)) if is_folder else os.fspath(path) for part in parts]
    if len(set(targets)) < len(targets):
        raise UsageError("two files of the corpus have the same name: write them one by one")
    read = {os.path.realpath(one) for one in (*(part.path for part in parts), *inputs)}
    for target in targets:
        if os.path.realpath(target) in read:
            raise UsageError(f"{target} is an input and will not be overwritten; choose another name")
    return targets


def write_parts(
    path: PathLike, targets: Sequence[str], data: Sequence[bytes], *, log: tuple[PathLike, bytes] | None = None
) -> None:
    """Write the files of a corpus under their `part_targets`, and perhaps a log.

    All appear once all are complete, or none does. Files ending in .gz, .bz2 and .xz are compressed.
    """
    files = [*zip(targets, data, strict=True), *([(os.fspath(log[0]), log[1])] if log else [])]
    try:
        if list(targets) != [os.fspath(path)]:
            os.makedirs(path, exist_ok=True)
        replace_files((os.path.realpath(target), compressed(each, target)) for target, each in files)
    except OSError as error:
        raise UsageError(f"{error.filename or path} cannot be written: {error.strerror or error}") from None


def misread_column(corpus: Corpus, changes: Changes, data: Sequence[bytes]) -> str | None:
    """The first column that would not be read from changed files as it was, but for the changes; None if all would."""
    from karat.corpus.analysed import tags_shown

    again = _read_again(corpus, changes, data)
    is_same = again.n_words == corpus.n_words and np.array_equal(again.sentence_offsets, corpus.sentence_offsets)
    for name in ("form", *sorted({name for _, name in changes})):
        if not is_same:
            return name
        expected, found = corpus.column(name).strings(), again.column(name).strings()
        changed = {word: value for (word, column), value in changes.items() if column == name}
        if not corpus.has_fields_in_source:  # tags in the order of a word's interpretations; lemmas go with them
            expected, found = list(map(tags_shown, expected)), list(map(tags_shown, found))
            changed = {word: tags_shown(value) for word, value in changed.items()}
        for word, value in changed.items():
            expected[word] = value
        if name == "lemma" and not corpus.has_fields_in_source:
            expected, found = ([values[word] for word in sorted(changed)] for values in (expected, found))
        if found != expected:
            return name
    return None


def _read_again(corpus: Corpus, changes: Changes, data: Sequence[bytes]) -> Corpus:
    """Changed files as a corpus with the columns of the one that they were."""
    from karat.corpus.chosen_tags import corpus_of_chosen_tags
    from karat.corpus.formats import analysed_from_source, corpus_from_source

    source = source_from_files([(part.path, each) for part, each in zip(corpus.source.parts, data, strict=True)])
    if not corpus.has_fields_in_source:
        text = analysed_from_source(source, corpus.format)
        return corpus_of_chosen_tags(
            text, source, corpus.format, tag=corpus.names[1], with_probabilities=False, with_lemmas=True
        )
    tag = corpus.names[1] if corpus.format != "conllu" else "upos"
    several = any("\t" in value for value in (*changes.values(), *corpus.column(corpus.names[-1]).vocabulary))
    return corpus_from_source(source, input=corpus.format, tag=tag, several_tags=several, trees=False, bad="keep")
