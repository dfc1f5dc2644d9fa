"""Which words and brackets of trees count [Hogenhout & Matsumoto 1996, §4]."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, get_args

from karat.options import option

if TYPE_CHECKING:
    from karat.corpus.source import PathLike

Inheritance = Literal["example", "literal"]  # as in the paper's worked example, or in its text


@dataclass(frozen=True, slots=True)
class BracketOptions:
    """Which words and brackets count, and how.

    `punctuation` is penn, unicode, none or a file of tags. `label` has patterns, as in `PP` or `NP*,WHNP`: then only
    brackets whose label fits one count, and they match if their labels do. `cutoff` is the length up to which sentences
    are also scored apart. `inheritance` says whether the bracket around the whole sentence can be a parent from which
    others inherit: not in the paper's worked `example`, but by the `literal` text of its definition.
    """

    labelled: bool = option(False, "Also require equal labels when counting items; Labelled F1 etc. always do.")
    label: str = option(
        "",
        "Count only brackets with these labels, as in PP or 'NP*,WHNP'; labels must then match.",
        metavar="PATTERN",
    )
    punctuation: PathLike = option(
        "penn",
        "Words to drop as punctuation: by Penn tag, by Unicode category P, none, or by the tags in a file.",
        metavar="penn|unicode|none|FILE",
    )
    keep_empty: bool = option(False, "Count brackets that preparation left empty.")
    keep_doubled: bool = option(False, "Count doubled brackets (around the same words) separately.")
    keep_one_word: bool = option(False, "Count brackets around a single word.")
    inheritance: Inheritance = option(
        "example",
        "How to count PINH and TINH: as in the paper's worked example, where the bracket around the whole sentence is "
        "not a parent, or by the literal definition, where it is.",
        choices=get_args(Inheritance),
    )
    cutoff: int = option(40, "Also score sentences of up to N words separately.", metavar="N", least=1)

    @property
    def compares_labels(self) -> bool:
        return self.labelled or bool(self.label)

    def is_wanted(self, label: str) -> bool:
        """Whether brackets with this label count."""
        return not self.label or any(fnmatchcase(label, pattern.strip()) for pattern in self.label.split(","))

    def signed(self, punctuation: str) -> list[tuple[str, str]]:
        """The settings that a signature names."""
        settings = [
            ("brackets", "labelled" if self.compares_labels else "unlabelled"),
            ("punctuation", punctuation),
            ("empty", "kept" if self.keep_empty else "dropped"),
            ("doubled", "kept" if self.keep_doubled else "merged"),
            ("one-word", "kept" if self.keep_one_word else "dropped"),
            ("cutoff", str(self.cutoff)),
        ]
        settings += [("inheritance", self.inheritance)] if self.inheritance != "example" else []
        return settings + ([("label", self.label)] if self.label else [])
