"""Reading bracketed trees: `(S (NP (DT the) (NN dog)) (VP (VBZ barks)))`, as in the Penn Treebank.

A tree may take one line or many, and a file may have any number of them. All are found at once, in arrays over the
tokens of the text (brackets and what stands between them and spaces): no object a node, and no recursion, so that trees
may be of any depth.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat._arrays import Array, Bytes, Flags, Ids, Indices
from karat._compiled import pays
from karat._ragged import offsets_of
from karat.corpus.claimed_formats import looks_like
from karat.corpus.constituency_trees import Trees
from karat.corpus.interning import Spans
from karat.corpus.lines import bad_utf8
from karat.corpus.readers.conllu import Bad, in_order
from karat.corpus.source import Source
from karat.errors import DataError, Problem

_OUTSIDE = "text outside the trees"
_OUTSIDE_HINT = "write brackets in words as -LRB- and -RRB-"
_NEWLINE = ord("\n")
_SPACE, _OPEN, _CLOSE, _TEXT = range(4)
_KINDS = np.full(256, _TEXT, dtype=np.uint8)
_KINDS[[9, 10, 11, 12, 13, 32]] = _SPACE
_KINDS[40], _KINDS[41] = _OPEN, _CLOSE
_NONE = np.zeros(0, dtype=np.intp)
_STEPS = np.array([0, 1, -1, 0], dtype=np.int8)


def brackets_from_source(
    source: Source, *, bad: Bad = "raise", every_line: bool = False, as_evalb: bool = False
) -> Trees:
    """The trees in a text that has been read; with `every_line`, each blank line is a missing parse.

    Otherwise those are that do not separate trees or end a file. Brackets without a word, `(X)`, are left out, with a
    warning; a tree without any word, such as `(TOP)`, is a missing parse. With `as_evalb`, a text whose trees do not
    go on over several lines is read as EVALB reads it: each line is a sentence, blank ones and those of several trees
    too, and a bracket that holds nothing but spaces, `( )` or `(X )`, is a word without a form.
    """
    is_compiled = not every_line and pays(source.size)
    plain = _compiled_trees(source) if is_compiled else _plain_trees(source)
    if plain is not None and ((is_compiled and not as_evalb) or _has_one_tree_a_line(plain)):
        return plain
    text = source.buffer[: source.size]
    nul = np.flatnonzero(text == 0)
    if len(nul):
        hint = "is it UTF-16, or not a text file? karat reads UTF-8"
        raise DataError(source.problem("K107", "the file contains a NUL byte", int(nul[0]), hint=hint))
    tokens = _Tokens(source, text, every_line=every_line)
    if len(tokens.kind) and not (tokens.kind == _OPEN).any():
        hint = "a tree begins with a bracket, as in (S (NP (NNS Dogs)) (VP (VBP bark)))"
        what = f"the file has text but no trees{looks_like(source)}"
        raise DataError(source.problem("K704", what, int(tokens.place[0]), hint=hint))
    problems = tokens.unbalanced()
    tokens.drop_bad_stretches()
    problems += tokens.lines_of_text()
    tokens.drop_bad_stretches()
    if as_evalb:
        tokens.take_lines_for_sentences()
    problems += tokens.misplaced()
    trees = tokens.trees(problems)
    if not trees.n_trees:
        raise DataError(Problem("K104", "the file has no trees", source.path))
    if trees.problems and bad == "raise":
        raise DataError(trees.problems)
    return trees


def _compiled_trees(source: Source) -> Trees | None:
    """The trees of a text in which nothing is wrong, in one compiled pass; None if something may be."""
    from karat.corpus.readers._compiled_brackets import plain_trees

    found = plain_trees(source)
    if found is None:
        return None
    words, nodes, (places, word_offsets, node_offsets) = found
    if len(places) == 1:  # behind the last tree: there is none
        return None
    return _trees(source, words, nodes, places[:-1], word_offsets, node_offsets)


def _plain_trees(source: Source) -> Trees | None:
    """The same with numpy."""
    from karat.corpus.readers._plain_brackets import plain_trees

    found = plain_trees(source)
    if found is None:
        return None
    begin, _, n_words, n_nodes = found.trees
    return _trees(source, found.words, found.nodes, begin, offsets_of(n_words), offsets_of(n_nodes))


def _trees(
    source: Source, words: Ids, nodes: Ids, places: Indices, word_offsets: Indices, node_offsets: Indices
) -> Trees:
    """Trees from rows of words (tag and form: start, stop), nodes (label: start, stop; words: start, stop; parent)."""
    return Trees(
        source=source,
        forms=Spans(source, words[2], words[3]),
        tags=Spans(source, words[0], words[1]),
        labels=Spans(source, nodes[0], nodes[1]),
        start=nodes[2],
        stop=nodes[3],
        parents=nodes[4],
        word_offsets=word_offsets,
        node_offsets=node_offsets,
        tree_places=places,
        document_offsets=_document_offsets(source, places),
    )


def _has_one_tree_a_line(trees: Trees) -> bool:
    """Whether every line is a tree with words, so that it does not matter what else lines can be."""
    source = trees.source
    if trees.missing.any() or len(source.parts) > 1:
        return False
    newlines = np.flatnonzero(source.buffer[: source.size] == _NEWLINE)
    n_lines = len(newlines) + (not len(newlines) or newlines[-1] < source.size - 1)
    return np.array_equal(np.searchsorted(newlines, trees.tree_places), np.arange(n_lines))


def _document_offsets(source: Source, places: Indices) -> Indices:
    return np.append(np.searchsorted(places, [part.start for part in source.parts]), len(places))


class _Tokens:
    """The tokens of a text: brackets and stretches of other characters, in order.

    `place` and `kind` are those of each token, `depth` how many brackets are open behind it.
    """

    def __init__(self, source: Source, text: Bytes, *, every_line: bool = False) -> None:
        self.source, self.text, self.every_line = source, text, every_line
        self.lines_are_sentences = False
        kinds = _KINDS[text]
        before = np.empty_like(kinds)
        before[:1], before[1:] = _SPACE, kinds[:-1]
        is_text = kinds == _TEXT
        self.place = _places((kinds != _SPACE) & ~(is_text & (before == _TEXT)))
        self.kind = kinds.take(self.place)
        after = np.empty_like(kinds)
        after[-1:], after[:-1] = _SPACE, kinds[1:]
        self.stop = self.place + 1
        self.stop[self.kind == _TEXT] = _places(is_text & (after != _TEXT)) + 1
        self.newlines = np.flatnonzero(text == 10)
        line_starts = np.append(0, self.newlines + 1)
        line_starts = line_starts[line_starts < len(text)]
        self.lines_with_text = np.flatnonzero(np.maximum.reduceat(kinds, line_starts)) if len(text) else _NONE
        self.bad_stretches: list[tuple[int, int]] = []  # first token and the one behind the last
        self.bad_places: list[int] = []
        self.oddities: tuple[Problem, ...] = ()
        self._measure()

    def _measure(self) -> None:
        self.depth = np.cumsum(_STEPS.take(self.kind), dtype=np.int32)

    # ---- as EVALB reads

    def take_lines_for_sentences(self) -> None:
        """Let every line be a sentence, unless a tree goes on over several lines.

        What follows a bracket up to a space is then its label, what stands between spaces and the closing bracket its
        word: of `(X )`, `( x)` and `( )` one or both are empty, and are put in as text of no length.
        """
        if self.depth[np.diff(self._lines(), append=-1) != 0].any():
            return
        self.lines_are_sentences = self.every_line = True
        kind, place, stop = (np.append(array, [0, 0]) for array in (self.kind, self.place, self.stop))
        opens = np.flatnonzero(self.kind == _OPEN)
        label_touches, word_touches = place[opens + 1] == stop[opens], place[opens + 2] == stop[opens + 1]
        holds_space = (kind[opens + 1] == _CLOSE) & ~label_touches
        holds_text = (kind[opens + 1] == _TEXT) & (kind[opens + 2] == _CLOSE)
        no_label = opens[holds_space | (holds_text & ~label_touches & word_touches)]
        no_word = np.append(opens[holds_space] + 1, opens[holds_text & label_touches & ~word_touches] + 2)
        before = np.concatenate([no_label + 1, no_word])
        places = np.concatenate([stop[no_label], place[no_word]])
        self.kind = np.insert(self.kind, before, _TEXT)
        self.place, self.stop = (np.insert(array, before, places) for array in (self.place, self.stop))
        self._measure()

    def _lines(self) -> Indices:
        """The number of the line that each token is in."""
        return np.searchsorted(self.newlines, self.place)

    # ---- brackets that do not match

    def unbalanced(self) -> list[Problem]:
        """The brackets that have no partner; the stretches of text that they spoil are noted.

        Trees are taken to begin with a bracket at the beginning of a line, which nearly all files bear out; where they
        do not, the first bracket without a partner is all that can be said.
        """
        first = np.searchsorted(self.place, [part.start for part in self.source.parts])
        last = np.append(first[1:], len(self.place))
        ends = np.append(0, self.depth)
        if self.depth.min(initial=0) >= 0 and not ends[last].any():
            return []
        at_line_start = np.append(True, self.text[:-1] == 10).take(self.place)
        begins = np.union1d(first, np.flatnonzero((self.kind == _OPEN) & at_line_start))
        begins = begins[begins < len(self.place)]
        stops = np.append(begins[1:], len(self.place))
        base = ends[begins]
        lowest = np.minimum.reduceat(self.depth, begins) - base
        left = ends[stops] - base
        wrong = np.flatnonzero((lowest < 0) | (left != 0))
        self.bad_stretches = [(int(begins[number]), int(stops[number])) for number in wrong]
        return [self._unmatched(begin, stop) for begin, stop in self.bad_stretches]

    def _unmatched(self, begin: int, stop: int) -> Problem:
        """The first closing bracket of a stretch without its opening one, or the last opening one never closed."""
        base = int(self.depth[begin - 1]) if begin else 0
        depth = self.depth[begin:stop] - base
        below = np.flatnonzero(depth < 0)
        if len(below):
            place = int(self.place[begin + below[0]])
            return self.source.problem("K701", "closing bracket without an opening one", place)
        # what is open at the end was opened last at the depth at which the rest never comes back below it
        lowest_after = np.minimum.accumulate(depth[::-1])[::-1]
        never_closed = np.flatnonzero((self.kind[begin:stop] == _OPEN) & (lowest_after >= depth))
        place = int(self.place[begin + never_closed[0]]) if len(never_closed) else int(self.place[begin])
        return self.source.problem("K702", "opening bracket that is never closed", place)

    def drop_bad_stretches(self) -> None:
        """Leave out the tokens of stretches whose brackets do not match; each stays as one missing parse."""
        if not self.bad_stretches:
            return
        keep = np.ones(len(self.place), dtype=np.bool_)
        for begin, stop in self.bad_stretches:
            self.bad_places.append(int(self.place[begin]))
            keep[begin:stop] = False
        self.place, self.kind, self.stop = self.place[keep], self.kind[keep], self.stop[keep]
        self._measure()

    def lines_of_text(self) -> list[Problem]:
        """Lines outside of all trees with text only, as a parser may print that has no parse; each spoils no tree."""
        self.bad_stretches = []
        outside = np.flatnonzero((self.kind == _TEXT) & (self.depth == 0))
        if not len(outside):
            return []
        lines = self._lines()
        with_brackets = np.unique(lines[self.kind != _TEXT])
        found = []
        for line in np.setdiff1d(lines[outside], with_brackets).tolist():
            begin, stop = np.searchsorted(lines, [line, line + 1]).tolist()
            self.bad_stretches.append((begin, stop))
            found.append(self.source.problem("K704", _OUTSIDE, int(self.place[begin]), hint=_OUTSIDE_HINT))
        return found

    # ---- what stands where it should not

    def _neighbours(self) -> tuple[Array, Array, Array]:
        """The kinds of the tokens before, two before and behind each."""
        padded = np.full(len(self.kind) + 3, _SPACE, dtype=np.uint8)
        padded[2:-1] = self.kind
        return padded[1:-2], padded[:-3], padded[3:]

    def misplaced(self) -> list[Problem]:
        """Text outside trees and between brackets; brackets without words are noted as odd."""
        before, two_before, after = self._neighbours()
        is_text = self.kind == _TEXT
        is_label = is_text & (before == _OPEN)
        is_word = is_text & (before == _TEXT) & (two_before == _OPEN)
        word_before = np.append(False, is_word[:-1])
        in_tree = self.depth > 0
        outside = is_text & ~in_tree
        self.is_label, self.is_word = is_label & in_tree, is_word & in_tree
        trees = self._tree_numbers()
        n_words = np.bincount(trees[self.is_word], minlength=int(trees.max(initial=0)) + 1)
        is_empty = ((self.kind == _OPEN) | self.is_label) & (after == _CLOSE) & (n_words > 0).take(trees)
        self._note_empty(np.flatnonzero(is_empty))
        found = [
            ("K704", _OUTSIDE, outside, _OUTSIDE_HINT),
            (
                "K705",
                "text between brackets",
                is_text & in_tree & ~is_label & ~is_word,
                "every word needs its own bracket with a tag, as in (NN dog)",
            ),
            (
                "K705",
                "bracket after a word",
                (self.kind == _OPEN) & word_before,
                "every word needs a bracket of its own, as in (NN dog)",
            ),
        ]
        problems = []
        for code, message, flags, hint in found:
            for token in np.flatnonzero(flags).tolist():
                place, tree = int(self.place[token]), int(trees[token])
                problems.append(self.source.problem(code, message, place, hint=hint, sentence=max(tree, 0)))
        return problems

    def _note_empty(self, tokens: Indices) -> None:
        """Warn of brackets without words in trees that have some: their labels, or those without one, are given."""
        if not len(tokens):
            return
        first = int(tokens[0]) - int(self.kind[tokens[0]] == _TEXT)
        shown = self.source.text(
            int(self.place[first]), min(int(self.place[tokens[0] + 1]) + 1, self.place[first] + 40)
        )
        message = f"the bracket {shown} has no word and is ignored"
        if len(tokens) > 1:
            message = f"{len(tokens):,} brackets have no word and are ignored; the first is {shown}"
        self.oddities = (self.source.problem("W104", message, int(self.place[first])),)

    def _begin(self) -> Flags:
        """The tokens with which a tree begins, or a line where lines are sentences."""
        if self.lines_are_sentences:
            begins: Flags = np.diff(self._lines(), prepend=-1) != 0
            return begins
        opens_tree: Flags = (self.kind == _OPEN) & (self.depth == 1)
        return opens_tree

    def _tree_numbers(self) -> Ids:
        """The number of the tree that each token is in, or of the one before it."""
        numbers: Ids = np.cumsum(self._begin(), dtype=np.int32)
        numbers -= 1
        return numbers

    # ---- the arrays

    def trees(self, problems: list[Problem]) -> Trees:
        """The trees; those with problems, and bad stretches, have no words."""
        numbers = self._tree_numbers()
        begins = np.flatnonzero(self._begin())
        spoiled = np.zeros(len(begins), dtype=np.bool_)
        for problem in problems:
            if problem.sentence is not None and len(begins):
                spoiled[problem.sentence] = True
        good = ~spoiled.take(numbers) if len(begins) else np.zeros(len(self.kind), dtype=np.bool_)
        is_word = self.is_word & good
        before_token = np.append(np.int32(0), np.cumsum(is_word, dtype=np.int32))
        partner = self._partners()
        # a bracket with a label and a word is a word's; one around nothing is a missing parse's
        next_but_one = np.append(self.is_word, [False, False])[2:]
        is_node = (self.kind == _OPEN) & good & ~next_but_one
        nodes = np.flatnonzero(is_node)
        start, stop = before_token.take(nodes), before_token.take(partner.take(nodes))
        is_full = stop > start
        nodes, start, stop = nodes[is_full], start[is_full], stop[is_full]
        depth = self.depth.take(nodes)
        label = np.minimum(nodes + 1, len(self.kind) - 1)
        has_label = self.is_label.take(label)
        label_start = np.where(has_label, self.place.take(label), self.place.take(nodes) + 1)
        label_stop = np.where(has_label, self.stop.take(label), label_start)
        words = np.flatnonzero(is_word)
        missing = [*self._blank_lines(begins, partner), *self.bad_places]
        places = np.append(self.place.take(begins), missing).astype(np.intp)
        order = np.argsort(places, kind="stable")
        n_words = np.append(np.bincount(numbers[words], minlength=len(begins)), np.zeros(len(missing), dtype=np.intp))
        n_nodes = np.append(np.bincount(numbers[nodes], minlength=len(begins)), np.zeros(len(missing), dtype=np.intp))
        renumbered = np.empty(len(places), dtype=np.intp)
        renumbered[order] = np.arange(len(places))
        return Trees(
            source=self.source,
            forms=Spans(self.source, self.place.take(words), self.stop.take(words)),
            tags=Spans(self.source, self.place.take(words - 1), self.stop.take(words - 1)),
            labels=Spans(self.source, label_start, label_stop),
            start=start,
            stop=stop,
            parents=_parents(depth, numbers.take(nodes)),
            word_offsets=offsets_of(n_words[order]),
            node_offsets=offsets_of(n_nodes[order]),
            tree_places=places[order],
            document_offsets=_document_offsets(self.source, places[order]),
            problems=tuple(self._renumbered(problems, renumbered, places[order])),
            oddities=self.oddities,
        )

    def _renumbered(self, problems: list[Problem], numbers: Indices, places: Indices) -> list[Problem]:
        """The problems with the numbers that trees have among missing parses."""
        found = []
        bad = iter(self.bad_places)
        for problem in problems:
            if problem.sentence is None:  # of a stretch: these come first, in order
                sentence = int(np.searchsorted(places, next(bad)))
            else:
                sentence = int(numbers[problem.sentence])
            found.append(replace(problem, sentence=sentence))
        for place, reason in bad_utf8(self.source):
            sentence = max(int(np.searchsorted(places, place, side="right")) - 1, 0)
            hint = "convert the file, for example with iconv -f latin1 -t utf8"
            message = f"not valid UTF-8: {reason}"
            found.append(self.source.problem("K106", message, place, hint=hint, sentence=sentence))
        return in_order(self.source, found)

    def _partners(self) -> Ids:
        """For every opening bracket the token that closes it.

        Sorted by depth, brackets of one depth take turns in opening and closing.
        """
        brackets = _places((self.kind == _OPEN) | (self.kind == _CLOSE))
        level = self.depth.take(brackets) + (self.kind.take(brackets) == _CLOSE)
        by_level = brackets.take(_by_depth(level))
        partner = np.zeros(len(self.kind), dtype=np.int32)
        partner[by_level[0::2]] = by_level[1::2]
        return partner

    def _blank_lines(self, begins: Indices, partner: Ids) -> list[int]:
        """The places of blank lines that stand for missing parses, file by file.

        They do where every tree has a line of its own, unless a blank line follows every tree, which makes blank lines
        separators; those at the end of a file never do. If `every_line` counts, all of them do, also where there is no
        tree.
        """
        found: list[int] = []
        tree_start, tree_stop = self.place.take(begins), self.place.take(partner.take(begins))
        newlines = self.newlines
        first_line, last_line = np.searchsorted(newlines, tree_start), np.searchsorted(newlines, tree_stop)
        for part in self.source.parts:
            here = (tree_start >= part.start) & (tree_start < part.stop)
            one_a_line = not ((first_line[here] != last_line[here]).any() or (np.diff(first_line[here]) == 0).any())
            if not (one_a_line or self.lines_are_sentences) or not (self.every_line or here.any()):
                continue
            begin, end = int(np.searchsorted(newlines, part.start)), int(np.searchsorted(newlines, part.stop))
            with_text = self.lines_with_text[(self.lines_with_text >= begin) & (self.lines_with_text <= end)]
            if not self.every_line and with_text[0] == begin and len(with_text) > 1 and (np.diff(with_text) == 2).all():
                continue
            if self.every_line and part.start < part.stop:
                end += int(self.text[part.stop - 1] != _NEWLINE)  # the last line need not have an end
            blank = np.setdiff1d(np.arange(begin, end if self.every_line else with_text[-1]), with_text)
            found += (np.append(-1, newlines).take(blank) + 1).tolist()
        return found


def _places(flags: Flags) -> Ids:
    """The places that are flagged, in half the memory that `flatnonzero` takes."""
    return np.flatnonzero(flags).astype(np.int32)


def _by_depth(depth: Ids) -> Indices:
    """The order of brackets by depth, and of those equally deep by place."""
    small = depth.astype(np.uint16) if depth.max(initial=0) < 2**16 else depth  # sorted without comparisons
    return np.argsort(small, kind="stable")


def _parents(depth: Ids, trees: Ids) -> Ids:
    """The number of the node above each, in the order in which nodes open: the last before it that is less deep by one.

    Words' brackets are not among the nodes, but none is above a node.
    """
    n = len(depth)
    keys = depth.astype(np.int64) * n + np.arange(n)
    order = _by_depth(depth)
    sorted_keys = keys[order]
    above = np.searchsorted(sorted_keys, keys - n) - 1
    parents = order[np.maximum(above, 0)]
    is_root = (above < 0) | (depth.take(parents) != depth - 1) | (trees.take(parents) != trees)
    return np.where(is_root, -1, parents).astype(np.int32)


def brackets_beside(gold: Trees, source: Source, *, bad: Bad = "raise") -> Trees:
    """A system's trees; every blank line is a missing parse if that makes them as many as the gold's.

    In a file of nothing but blank lines every one is.
    """
    is_blank = not (source.buffer[: source.size] > ord(" ")).any()
    return as_many_as(gold, brackets_from_source(source, bad=bad, every_line=is_blank), bad)


def as_many_as(gold: Trees, trees: Trees, bad: Bad = "raise") -> Trees:
    """The trees, with every blank line a missing parse if that makes them as many as the gold's."""
    if trees.n_trees == gold.n_trees:
        return trees
    again = brackets_from_source(trees.source, bad=bad, every_line=True)
    return again if again.n_trees == gold.n_trees else trees
