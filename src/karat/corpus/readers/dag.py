r"""The graphs of Concraft-pl 2 and of PolEval 2020, task 2: one line for each interpretation of an edge.

All begin with the columns start node, end node, form, lemma, tag. Then come, by the number of columns:

- 6 or 7 (PolEval): `nps` if no space stands before the word; `disamb` or `disamb_manual` if it is chosen.
- 10 or 11 (Concraft-pl): commonness, qualifiers, probability, information on the interpretation, `eos` at the end of a
  sentence; `disamb` if it is chosen, or information on the segment. Where nothing is marked so and every probability is
  1 or 0, as in what Concraft-pl is trained on, these are marks: 1 is chosen.
- 12 (PolEval's older texts): the first ten of Concraft-pl, then the last two of PolEval.

Lines of the same nodes and the same form that follow each other are one edge. A blank line ends a paragraph, whose
nodes are numbered for themselves. A line that begins with `#` and has no tab is a comment (PolEval: the year).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import numbered_values
from karat.corpus.analysed import NO_SPACE, SPACE, AnalysedText, Interned, interned_from_spans
from karat.corpus.interning import Spans
from karat.corpus.lines import Lines, find_lines
from karat.corpus.readers.analysed_formats import (
    no_sentence,
    probabilities_of,
    refuse_bad_fields,
    refuse_empty,
    refuse_unreadable,
    write_text,
)
from karat.corpus.readers.conllu import blank_forms, in_order
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError

_FIRST = ("start", "end", "form", "lemma", "tag")
_CONCRAFT = (*_FIRST, "commonness", "qualifiers", "probability", "meta", "eos")
LAYOUTS = {
    6: (*_FIRST, "nps"),
    7: (*_FIRST, "nps", "mark"),
    10: _CONCRAFT,
    11: (*_CONCRAFT, "mark"),
    12: (*_CONCRAFT, "nps", "mark"),
}
_CARRIED = ("commonness", "qualifiers", "meta", "eos", "mark")
_ALLOWED = {"nps": ("", "nps"), "eos": ("", "eos"), "mark": ("", "disamb", "disamb_manual")}
CHOSEN = ("disamb", "disamb_manual")
_MARKED_BY_NUMBERS = (10, 11)
_ONE = "1.0000"  # how Concraft-pl writes it where it marks by numbers
_LARGEST_NODE = 999_999_999
_ROW = re.compile(rb"^(?! *\r?$)(?!#[^\t\n]*$).*$", re.MULTILINE)  # neither blank nor a comment
_NODE = re.compile(r"[0-9]{1,9}", re.ASCII)


def read_dag(path: PathLike) -> AnalysedText:
    """The text in a file of graphs; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    A sentence ends where a chosen edge is marked `eos` (where nothing of a paragraph is chosen: any edge), and with the
    paragraph. Comments become the name of the paragraph they stand in or before.

    What is wrong is raised as one `DataError`, in the order of the file: K832 (a line with the wrong columns, or an
    edge that goes backwards), K833 (a node or a probability that is none) and K834: chosen edges of a paragraph that
    are no path from its first node to its last.
    """
    return dag_from_source(read_source(path))


def dag_from_source(source: Source) -> AnalysedText:
    """The text of graphs in a source that has been read; see `read_dag`."""
    refuse_unreadable(source)
    n_columns = _n_columns(source)
    lines = find_lines(source, n_columns, comments="untabbed")
    _refuse_other_lines(source, lines, n_columns)
    problems: list[Problem] = []
    table = _Table(source, lines, LAYOUTS[n_columns])
    nodes = np.array([_nodes(table, name, problems) for name in ("start", "end")], dtype=np.int32)
    if not problems:
        _tell_backward(table, nodes, problems)
    _tell_empty(table, problems)
    columns = {name: _carried(table, name, problems) for name in ("nps", *_CARRIED) if name in table.names}
    probability = np.full(len(lines.row_block), np.nan)
    if "probability" in table.names:
        probability = probabilities_of(source, table.spans("probability"), problems)
    if problems:
        raise DataError(in_order(source, problems))
    form, nps = interned_from_spans(table.spans("form")), columns.pop("nps", None)
    first = _first_rows(lines.row_block, nodes, form.ids, nps)
    mark, eos = columns.get("mark"), columns.get("eos")
    chosen = np.zeros(len(form), dtype=np.bool_) if mark is None else _is_one_of(mark, CHOSEN)
    layout = str(n_columns)
    if n_columns in _MARKED_BY_NUMBERS and not chosen.any() and _are_marks(probability):
        chosen, probability = probability == 1, np.full(len(chosen), np.nan)
        first_chosen = table.spans("probability")[np.flatnonzero(chosen)[:1]]
        layout = f"{n_columns} {first_chosen.strings()[0]}"
    block = lines.row_block.take(first)
    paragraph = np.cumsum(np.diff(block, prepend=-1) > 0) - 1
    offsets = np.append(first, len(form))
    edges = _Edges(paragraph, nodes.take(first, axis=1), _any_of(chosen, offsets))
    _refuse_no_path(source, table, edges, first)
    sentence_ends = np.zeros(len(form), dtype=np.bool_) if eos is None else _is_one_of(eos, ("eos",))
    sentence = _sentences(edges, _any_of(sentence_ends, offsets), _any_of(sentence_ends & chosen, offsets))
    sentence_first = np.flatnonzero(np.diff(sentence, prepend=-1))
    return AnalysedText(
        form=form.take(first),
        space=None if nps is None else np.where(_is_one_of(nps, ("nps",)), NO_SPACE, SPACE).astype(np.uint8)[first],
        place=lines.edges[0].take(first) + np.int32(1),
        interpretation_offsets=offsets,
        lemma=interned_from_spans(table.spans("lemma")),
        tag=interned_from_spans(table.spans("tag")),
        chosen=chosen,
        probability=probability,
        sentence_offsets=np.append(sentence_first, len(first)),
        paragraph_offsets=np.searchsorted(paragraph.take(sentence_first), np.arange(paragraph[-1] + 2)),
        paragraph_names=_comments(source, lines, block[np.flatnonzero(np.diff(paragraph, prepend=-1))]),
        nodes=edges.nodes,
        extra=tuple((name, columns[name]) for name in _CARRIED if name in columns and _says_more(name, columns[name])),
        path=source.path,
        format="dag",
        layout=layout,
    )


def dag_text(text: AnalysedText, *, columns: int | None = None) -> str:
    """A text as graphs of 6, 7, 10, 11 or 12 columns: as many as it was read with, or else 11, or 12 where needed.

    A text that is no graph becomes one in which word follows word. Probabilities have the four decimals of Concraft-pl,
    or more where they need them. Ten columns, and eleven that were read so, mark what is chosen by the numbers 1 and 0
    in place of probabilities. What the columns cannot hold is a `UsageError`.
    """
    read_with, _, one = text.layout.partition(" ") if text.format == "dag" else ("", "", "")
    if columns is None:
        is_undecided = not text.chosen.any() and _are_marks(text.probability)  # in 11 columns these would be marks
        columns = int(read_with) if read_with else 12 if _has_spaces(text) or is_undecided else 11
    if columns not in LAYOUTS:
        raise UsageError(f"a graph has {', '.join(map(str, LAYOUTS))} columns, not {columns}")
    nodes = _chain(text) if text.nodes is None else text.nodes
    one = _mark_of_chosen(text, columns, one)
    _refuse_unwritable(text, nodes, LAYOUTS[columns], is_marked=bool(one))
    values = [_written_column(text, nodes, name, one) for name in LAYOUTS[columns]]
    rows = ["\t".join(cells) + "\n" for cells in zip(*values, strict=True)]
    starts = [0, text.n_sentences] if text.paragraph_offsets is None else text.paragraph_offsets.tolist()
    bounds = text.interpretation_offsets.take(text.sentence_offsets.take(starts)).tolist()
    names = text.paragraph_names or ("",) * (len(starts) - 1)
    heads = ["".join(f"#{line}\n" for line in name.split("\n")) if name else "" for name in names]
    paragraphs = zip(heads, pairwise(bounds), strict=True)
    return "\n".join(head + "".join(rows[first:stop]) for head, (first, stop) in paragraphs) + "\n"


def write_dag(path: PathLike, text: AnalysedText, *, columns: int | None = None) -> None:
    """Write a text as graphs, see `dag_text`; .gz, .bz2 and .xz are compressed."""
    write_text(path, dag_text(text, columns=columns))


# --- reading ---


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The rows of a file, and the names of their columns."""

    source: Source
    lines: Lines
    names: tuple[str, ...]

    def spans(self, name: str) -> Spans:
        number = self.names.index(name)
        return Spans(self.source, self.lines.edges[number] + np.int32(1), self.lines.edges[number + 1])

    def tell(self, code: str, name: str, row: int, message: str, hint: str = "") -> Problem:
        return self.source.problem(code, message, int(self.spans(name).start[row]), hint=hint)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """The edges of all graphs: paragraph, nodes [2 × edges], whether an interpretation is chosen."""

    paragraph: Indices
    nodes: Ids
    is_chosen: Flags


def _n_columns(source: Source) -> int:
    """How many columns the first row has."""
    first = _ROW.search(source.buffer[: source.size].data)
    if first is None:
        raise no_sentence(source)
    found = first[0].count(b"\t") + 1
    if found not in LAYOUTS:
        raise DataError(_wrong_columns(source, first.start(), found, ", ".join(map(str, LAYOUTS))))
    return found


def _wrong_columns(source: Source, place: int, found: int, expected: str) -> Problem:
    message = f"{found} column{'s' * (found != 1)} where {expected} were expected"
    return source.problem("K832", message, place, hint="columns are separated by single tabs")


def _refuse_other_lines(source: Source, lines: Lines, n_columns: int) -> None:
    wrong = np.flatnonzero(lines.n_fields != n_columns)
    if len(wrong):
        found = zip(lines.edges[0].take(wrong).tolist(), lines.n_fields.take(wrong).tolist(), strict=True)
        raise DataError([_wrong_columns(source, before + 1, n_found, str(n_columns)) for before, n_found in found])


def _nodes(table: _Table, name: str, problems: list[Problem]) -> Ids:
    column = interned_from_spans(table.spans(name))
    numbers = [int(text) if _NODE.fullmatch(text) else -1 for text in column.strings]
    found = np.array(numbers, dtype=np.int32).take(column.ids)
    for row in np.flatnonzero(found < 0).tolist():
        message = f"{column[row][:40]!r} is not the number of a node"
        problems.append(table.tell("K833", name, row, message))
    return found


def _are_marks(probability: Floats) -> bool:
    """Whether numbers are marks of what is chosen: each 1 or 0, and not all 0."""
    return bool(((probability == 0) | (probability == 1)).all() and probability.any())


def _tell_backward(table: _Table, nodes: Ids, problems: list[Problem]) -> None:
    for row in np.flatnonzero(nodes[0] >= nodes[1]).tolist():
        message = f"the edge goes from node {nodes[0, row]} to node {nodes[1, row]}"
        problems.append(table.tell("K832", "start", row, message, "number nodes in text order"))


def _tell_empty(table: _Table, problems: list[Problem]) -> None:
    for name in ("form", "tag"):
        rows = np.flatnonzero(blank_forms(table.spans(name))).tolist()
        problems += [table.tell("K832", name, row, f"the {name} is empty") for row in rows]


def _carried(table: _Table, name: str, problems: list[Problem]) -> Interned:
    column = interned_from_spans(table.spans(name))
    if name not in _ALLOWED or (len(table.names) == 11 and name == "mark"):  # it may tell of the segment instead
        return column
    for row in np.flatnonzero(~_is_one_of(column, _ALLOWED[name])).tolist():
        expected = " or ".join(_ALLOWED[name][1:])
        problems.append(table.tell("K832", name, row, f"{column[row][:40]!r} where {expected} or nothing was expected"))
    return column


def _is_one_of(column: Interned, values: tuple[str, ...]) -> Flags:
    return np.array([text in values for text in column.strings], dtype=np.bool_).take(column.ids)


def _says_more(name: str, column: Interned) -> bool:
    """Whether a column has anything that `chosen` does not say as well."""
    return any(text and (name, text) != ("mark", "disamb") for text in column.strings)


def _first_rows(block: Ids, nodes: Ids, form: Ids, nps: Interned | None) -> Indices:
    """The rows at which a new edge begins."""
    keys = [block, nodes[0], nodes[1], form, *([] if nps is None else [nps.ids])]
    new = np.zeros(len(block), dtype=np.bool_)
    for key in keys:
        new |= np.diff(key, prepend=-1) != 0
    return np.flatnonzero(new)


def _any_of(flags: Flags, offsets: Indices) -> Flags:
    """Whether any interpretation of each edge has a flag."""
    any_: Flags = np.logical_or.reduceat(flags, offsets[:-1])
    return any_


def _refuse_no_path(source: Source, table: _Table, edges: _Edges, first: Indices) -> None:
    """Raise where the chosen edges of a paragraph do not lead from its first node to its last."""
    chosen = np.flatnonzero(edges.is_chosen)
    if not len(chosen):
        return
    start, end = edges.nodes
    chosen = chosen[np.lexsort((start.take(chosen), edges.paragraph.take(chosen)))]
    paragraph = edges.paragraph.take(chosen)
    offsets = np.flatnonzero(np.diff(edges.paragraph, prepend=-1))
    source_node, last_node = np.minimum.reduceat(start, offsets), np.maximum.reduceat(end, offsets)
    is_first = np.diff(paragraph, prepend=-1) != 0
    is_last = np.append(is_first[1:], True)
    before = np.where(is_first, source_node.take(paragraph), np.append(0, end.take(chosen)[:-1]))
    problems = []
    for number in np.flatnonzero(start.take(chosen) != before).tolist():
        row, begins, reached = int(first[chosen[number]]), int(start[chosen[number]]), int(before[number])
        what = "the paragraph begins" if is_first[number] else "the chosen edge before it ends"
        message = f"a chosen edge starts at node {begins}, but {what} at node {reached}"
        problems.append(table.tell("K834", "start", row, message, "chosen edges must form a path through the graph"))
    for number in np.flatnonzero(is_last & (end.take(chosen) != last_node.take(paragraph))).tolist():
        row, ends = int(first[chosen[number]]), int(end[chosen[number]])
        message = f"the last chosen edge ends at node {ends}, the paragraph at node {last_node[paragraph[number]]}"
        problems.append(table.tell("K834", "end", row, message, "chosen edges must form a path through the graph"))
    if problems:
        raise DataError(in_order(source, problems))


def _sentences(edges: _Edges, ends: Flags, chosen_ends: Flags) -> Indices:
    """The sentence of every edge: how many ends of sentences lie at or before its start, paragraphs counting too.

    Edges of two sentences may be mixed in the file; then one of the earlier sentence that comes late is counted to the
    later one, so that sentences are stretches of the file.
    """
    n_paragraphs = int(edges.paragraph[-1]) + 1
    is_decided = np.bincount(edges.paragraph[edges.is_chosen], minlength=n_paragraphs) > 0
    at = np.flatnonzero(np.where(is_decided.take(edges.paragraph), chosen_ends, ends))
    size = np.int64(1) << 32  # above all nodes, so that paragraph and node are one number
    boundaries = np.unique(edges.paragraph.take(at) * size + edges.nodes[1].take(at))
    offsets = np.flatnonzero(np.diff(edges.paragraph, prepend=-1))
    last = np.maximum.reduceat(edges.nodes[1], offsets) + np.arange(n_paragraphs) * size
    boundaries = np.setdiff1d(boundaries, last)  # there the paragraph ends, and its sentence with it
    place = edges.paragraph * size + edges.nodes[0]
    found = np.searchsorted(boundaries, place, side="right") + edges.paragraph
    sentence: Indices = np.maximum.accumulate(found)
    return sentence


def _comments(source: Source, lines: Lines, blocks: Ids) -> tuple[str, ...]:
    """The comments of each paragraph without their `#`, joined by line ends."""
    names: list[list[str]] = [[] for _ in blocks]
    owner = np.minimum(np.searchsorted(blocks, lines.comment_block), len(blocks) - 1).tolist()
    bounds = zip(owner, lines.comment_start.tolist(), lines.comment_stop.tolist(), strict=True)
    for paragraph, start, stop in bounds:
        names[paragraph].append(source.text(start + 1, stop))
    return tuple("\n".join(name) for name in names) if len(owner) else ()


# --- writing ---


def _chain(text: AnalysedText) -> Ids:
    """Nodes with which word follows word, from 0 in each paragraph."""
    paragraph = text.paragraph_of_word
    offsets = np.flatnonzero(np.diff(paragraph, prepend=-1))
    start = np.arange(text.n_words) - offsets.take(paragraph)
    return np.array([start, start + 1], dtype=np.int32)


def _mark_of_chosen(text: AnalysedText, columns: int, one: str) -> str:
    """The number that marks what is chosen, in the form that it was read in; "" where `disamb` does."""
    may_mark = columns == 10 or (columns == 11 and one)
    return (one or _ONE) if may_mark and text.chosen.any() and np.isnan(text.probability).all() else ""


def _refuse_unwritable(text: AnalysedText, nodes: Ids, names: tuple[str, ...], *, is_marked: bool) -> None:
    """Raise where the columns cannot hold the text."""
    carried = [column.strings for _, column in text.extra]
    refuse_bad_fields(text.form.strings, text.lemma.strings, text.tag.strings, *carried)
    refuse_bad_fields([name.replace("\n", "") for name in text.paragraph_names])
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    if not np.diff(text.interpretation_offsets).all():
        raise UsageError("a graph cannot store words without interpretations")
    if (nodes[0] < 0).any() or (nodes[0] >= nodes[1]).any() or (nodes[1] > _LARGEST_NODE).any():
        raise UsageError("an edge goes backwards, or to an impossible node")
    unplaced = [name for name, column in text.extra if name not in names and any(column.strings)]
    lost = [
        (bool(unplaced), f"the columns {', '.join(unplaced)}"),
        ("probability" not in names and not np.isnan(text.probability).all(), "probabilities"),
        ("mark" not in names and not is_marked and bool(text.chosen.any()), "what is chosen"),
        (_has_spaces(text) and "nps" not in names, "spaces between words"),
        (text.space is not None and bool((text.space > SPACE).any()), "spaces other than a single one"),
        (text.n_sentences > max(text.n_paragraphs, 1) and "eos" not in names, "sentences of a paragraph"),
        (any(text.sentence_names), "names of sentences"),
    ]
    for is_lost, what in lost:
        if is_lost:
            raise UsageError(f"graphs of {len(names)} columns cannot store {what}; give other columns")
    new = _first_rows(text.paragraph_of_word.astype(np.int32), nodes, _canonical(text.form), None)
    if len(new) != text.n_words:
        raise UsageError("two edges of the same nodes and the same form that follow each other would become one")


def _canonical(column: Interned) -> Ids:
    """Numbers that are equal where the strings are."""
    return numbered_values(column.strings, {}).take(column.ids)


def _has_spaces(text: AnalysedText) -> bool:
    return text.space is not None and bool((text.space == NO_SPACE).any())


def _written_column(text: AnalysedText, nodes: Ids, name: str, one: str) -> list[str]:
    of_word = text.word_of_interpretation
    if name in ("start", "end"):
        return [str(node) for node in nodes[("start", "end").index(name)].take(of_word).tolist()]
    if name == "form":
        return text.form.take(of_word).values()
    if name in ("lemma", "tag"):
        return (text.lemma if name == "lemma" else text.tag).values()
    if name == "probability":
        if one:
            zero = one.replace("1", "0")
            return [one if is_chosen else zero for is_chosen in text.chosen.tolist()]
        return [_written_probability(value) for value in text.probability.tolist()]
    if name == "nps":
        glued = np.zeros(text.n_words, dtype=np.bool_) if text.space is None else text.space == NO_SPACE
        return ["nps" if is_glued else "" for is_glued in glued.take(of_word).tolist()]
    column = text.extra_column(name)
    if name == "mark" and not one:
        marks = [""] * text.n_interpretations if column is None else column.values()
        return [_written_mark(mark, is_chosen) for mark, is_chosen in zip(marks, text.chosen.tolist(), strict=True)]
    if name == "eos" and column is None:
        return _made_ends(text)
    return [""] * text.n_interpretations if column is None else column.values()


def _written_mark(mark: str, is_chosen: bool) -> str:
    """The mark as it was read, unless something else has been chosen since."""
    if is_chosen:
        return mark if mark in CHOSEN else "disamb"
    return "" if mark in CHOSEN else mark


def _written_probability(value: float) -> str:
    if value != value:
        return ""
    if not 0 <= value <= 1:
        raise UsageError(f"{value} is not a probability")
    short = f"{value:.4f}"
    return short if float(short) == value else repr(value)


def _made_ends(text: AnalysedText) -> list[str]:
    """`eos` at the last word of every sentence that another one of its paragraph follows."""
    last = text.sentence_offsets[1:-1] - 1
    paragraph = text.paragraph_of_word
    last = last[paragraph.take(last) == paragraph.take(last + 1)]
    if text.nodes is not None and len(last):
        raise UsageError("a graph of several sentences needs a column eos that says where they end")
    is_last = np.zeros(text.n_words, dtype=np.bool_)
    is_last[last] = True
    is_end = is_last.take(text.word_of_interpretation)
    if text.has_chosen.any():
        is_end &= text.chosen | ~text.has_chosen.take(text.word_of_interpretation)
    return ["eos" if is_end_ else "" for is_end_ in is_end.tolist()]
