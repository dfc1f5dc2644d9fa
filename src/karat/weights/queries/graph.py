"""A query as a nondeterministic automaton over token conditions."""

from __future__ import annotations

from karat.weights.queries import query as tree
from karat.weights.queries.query import Query, QueryError

MAX_NODES = 20_000
_SENTENCE = ("s", "sent", "sentence")


class QueryGraph:
    """The automaton: from each node, ways without a token (`empty`), guarded ones, and those with a token."""

    def __init__(self, query: Query, longest: int) -> None:
        self.query, self.longest = query, longest
        self.empty: list[list[int]] = []
        self.guards: list[list[tuple[str, int, int]]] = []
        self.reads: list[list[tuple[int, int]]] = []
        self.numbers = {token.place: number for number, token in enumerate(tree.tokens(query.pattern))}
        self.first = self.node()
        self.last = self.add(query.pattern, self.first)
        self._closures: dict[int, tuple[bool, list[tuple[str, int, int]], list[tuple[int, int]]]] = {}

    def node(self) -> int:
        if len(self.empty) >= MAX_NODES:
            raise QueryError(self.query.text, "too large to run once its repetitions are expanded", 0)
        self.empty.append([])
        self.guards.append([])
        self.reads.append([])
        return len(self.empty) - 1

    def add(self, part: tree.Part, start: int) -> int:
        """Adds a part from a node on; the node at which it ends."""
        end = self.node()
        match part:
            case tree.Token(place=place, assertion=assertion):
                if assertion:
                    self.guards[start].append(("look", self.numbers[place], end))
                else:
                    self.reads[start].append((self.numbers[place], end))
            case tree.Mark(text=text):
                name = text.strip("</>")
                if name in _SENTENCE:
                    self.guards[start].append(("end" if text.startswith("</") else "start", 0, end))
                else:
                    self.empty[start].append(end)
            case tree.Sequence(parts=parts):
                for one in parts:
                    start = self.add(one, start)
                self.empty[start].append(end)
            case tree.Alternation(parts=parts):
                for one in parts:
                    begin = self.node()
                    self.empty[start].append(begin)
                    self.empty[self.add(one, begin)].append(end)
            case tree.Repetition(part=inner, least=least, most=most):
                self.repeat(inner, least, most, start, end)
            case tree.Macro(name=name, place=place):
                raise QueryError(self.query.text, f"the macro {name!r} is not defined here", place)
            case tree.Meet(place=place):
                raise QueryError(self.query.text, "MU queries are not run", place)
        return end

    def repeat(self, part: tree.Part, least: int, most: int | None, start: int, end: int) -> None:
        """More copies than the sentence has tokens would read nothing, so they are left out."""
        least = min(least, self.longest)
        for _ in range(least):
            start = self.add(part, start)
        if most is None:
            again = self.node()
            self.empty[start].append(again)
            self.empty[self.add(part, again)].append(again)
            self.empty[again].append(end)
            return
        self.empty[start].append(end)
        for _ in range(min(most, self.longest) - least):
            start = self.add(part, start)
            self.empty[start].append(end)

    def closure(self, node: int) -> tuple[bool, list[tuple[str, int, int]], list[tuple[int, int]]]:
        """What can be done at a node without reading: whether it may end, its guards, and what it reads."""
        known = self._closures.get(node)
        if known is None:
            seen, todo = {node}, [node]
            while todo:
                for one in self.empty[todo.pop()]:
                    if one not in seen:
                        seen.add(one)
                        todo.append(one)
            guards = [guard for one in seen for guard in self.guards[one]]
            reads = [read for one in seen for read in self.reads[one]]
            known = self._closures[node] = (self.last in seen, guards, reads)
        return known
