"""What was simulated, and what is true of it, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from karat import __version__
from karat._arrays import Array
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.simulation._known_truth import KnownTruth, Settings
from karat.simulation.noise import Over
from karat.simulation.systems import Realised, lowest_p, realised
from karat.simulation.text import Truth

SCHEMA = "karat/simulate/1"
_WHAT = {
    "tup": "a system with the given t, u and p",
    "mft": "the most frequent tag of each word in train.conllu",
    "bigram": "a bigram model of tags, trained on train.conllu",
}
_README = """\
Simulated by karat {version}: text whose true annotation is known.

truth.conllu          the text with its true annotation
truth.ptb             its true trees, one per line
gold.conllu           the same text, tags with noise ({kind}; requested: {noise:g} of the {over} tokens)
train.conllu          another text of the same size with the same kind of noise: what mft and bigram learned from
system-tup.conllu     {tup}
system-mft.conllu     {mft}
system-bigram.conllu  {bigram}
parameters.json       how all this was made, and the true values

A wrong tag is one that the word can have elsewhere; XPOS, lemma and features are changed to match. Heads and relations
are true in all files. t is the accuracy where the gold is right, u where it is wrong, p the share of the gold's own
errors where both are wrong (Padró & Màrquez 1998, Table 1).

Wrong in gold.conllu: {wrong}.

{table}

{signature}
"""
_LINE = "{:<24}{:>8}{:>10}{:>8}{:>8}{:>8}"


@dataclass(frozen=True, slots=True)
class SystemTruth:
    """What is true of a system, over all tokens and over ambiguous ones."""

    name: str
    all_tokens: Realised
    ambiguous: Realised

    def to_dict(self) -> dict[str, Any]:
        """The system as plain data."""
        return {
            "name": self.name,
            "file": f"system-{self.name}.conllu",
            "what": _WHAT[self.name],
            "all": _realised_dict(self.all_tokens),
            "ambiguous": _realised_dict(self.ambiguous),
        }


def _realised_dict(one: Realised) -> dict[str, float | int | None]:
    return {
        "tokens": one.n_tokens,
        "true_accuracy": one.true_accuracy,
        "observed_accuracy": one.observed_accuracy,
        "t": one.t,
        "u": one.u,
        "p": one.p,
    }


@dataclass(frozen=True, slots=True, repr=False)
class Simulation(Result):
    """What is true of an experiment; rates of error are over all tokens and over ambiguous ones (None without any).

    `lowest_p` is the lowest p that `system` could have reached. `files` are the names and SHA-256 of what was written.
    """

    settings: Settings
    n_sentences: int
    n_documents: int
    n_rules: int
    ambiguous_share: float
    ambiguity: float | None
    gold_error: Mapping[Over, float | None]
    training_error: Mapping[Over, float | None]
    lowest_p: float
    systems: tuple[SystemTruth, ...]
    signature: str
    files: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The experiment as plain data, in the schema karat/simulate/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "parameters": _settings_dict(self.settings),
            "text": {
                "tokens": self.settings.n_tokens,
                "sentences": self.n_sentences,
                "documents": self.n_documents,
                "rules": self.n_rules,
                "ambiguous_share": self.ambiguous_share,
                "ambiguity": self.ambiguity,
            },
            "corpus_error": dict(self.gold_error),
            "training_error": dict(self.training_error),
            "lowest_p": self.lowest_p,
            "systems": [one.to_dict() for one in self.systems],
            "files": dict(self.files),
        }

    def records(self) -> Table:
        """One row for each system and kind of tokens."""
        rows: list[list[Cell]] = []
        for system in self.systems:
            for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
                values = (found.corpus_error, found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
                rows.append([system.name, over, found.n_tokens, *values])
        columns = ["system", "over", "tokens", "corpus_error", "true_accuracy", "observed_accuracy", "t", "u", "p"]
        return Table(columns, rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be had as it was asked for."""
        if self.settings.p >= self.lowest_p:
            return ()
        why = "words with two tags leave only the gold's own error"
        return (f"p cannot be lower than {self.lowest_p:.3f} with u = {self.settings.u:g}: {why}",)


def _settings_dict(settings: Settings) -> dict[str, Any]:
    return {
        "tokens": settings.n_tokens,
        "documents": settings.n_documents,
        "noise": settings.noise,
        "noise_over": settings.over,
        "kind": settings.kind,
        "t": settings.t,
        "u": settings.u,
        "p": settings.p,
        "clustering": settings.clustering,
        "cluster": settings.by,
        "seed": settings.seed,
    }


def described(known: KnownTruth) -> Simulation:
    """What is true of an experiment."""
    truth, gold = known.truth, known.gold
    ambiguous = truth.ambiguous
    return Simulation(
        settings=known.settings,
        n_sentences=truth.n_sentences,
        n_documents=truth.n_documents,
        n_rules=truth.language.n_rules,
        ambiguous_share=float(ambiguous.mean()),
        ambiguity=truth.ambiguity if ambiguous.any() else None,
        gold_error=_error(truth, gold),
        training_error=_error(known.training, known.training_tags),
        lowest_p=lowest_p(truth, gold, u=known.settings.u),
        systems=tuple(
            SystemTruth(name, realised(truth, gold, tags), realised(truth, gold, tags, over="ambiguous"))
            for name, tags in known.systems.items()
        ),
        signature=settings_signature(known.settings),
    )


def _error(truth: Truth, tags: Array) -> dict[Over, float | None]:
    wrong, ambiguous = tags != truth.tags, truth.ambiguous
    return {"all": float(wrong.mean()), "ambiguous": float(wrong[ambiguous].mean()) if np.any(ambiguous) else None}


def settings_signature(settings: Settings) -> str:
    """The signature of what these settings make: they are all that it depends on."""
    parts = [
        ("tokens", str(settings.n_tokens)),
        ("documents", "auto" if settings.n_documents is None else str(settings.n_documents)),
        ("noise", repr(settings.noise)),
        ("over", settings.over),
        ("kind", settings.kind),
        ("t", repr(settings.t)),
        ("u", repr(settings.u)),
        ("p", repr(settings.p)),
        ("clustering", repr(settings.clustering) + (f" by {settings.by}" if settings.clustering else "")),
        ("seed", str(settings.seed)),
    ]
    return signature("simulate", parts, [])


def described_text(one: Simulation) -> str:
    """The README of a folder of simulated files."""
    settings = one.settings
    lines = [_LINE.format("", "true", "observed", "t", "u", "p")]
    for system in one.systems:
        for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
            values = (found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
            shown = ["–" if value is None else f"{value:.4f}" for value in values]
            lines.append(_LINE.format(f"{system.name}, {over} tokens", *shown))
    return _README.format(
        version=__version__,
        kind=settings.kind,
        noise=settings.noise,
        over="ambiguous" if settings.over == "ambiguous" else "whole text's",
        table="\n".join(lines),
        wrong=", ".join(f"{share:.4f} of {over} tokens" for over, share in one.gold_error.items() if share is not None),
        signature=one.signature,
        **_WHAT,
    )
