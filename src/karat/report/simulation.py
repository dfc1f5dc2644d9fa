"""What is true of a simulated corpus and its systems, as tables for people."""

from __future__ import annotations

from karat.result import Cell, Table
from karat.simulation.described import Simulation

__all__ = ["simulation_tables"]


def simulation_tables(about: Simulation) -> list[Table]:
    """The text and its gold, and how good the systems are."""
    return [_text_table(about), _systems_table(about)]


def _text_table(about: Simulation) -> Table:
    """What was made, and how much of the gold is wrong."""
    rows: list[list[Cell]] = [
        ["tokens", about.settings.n_tokens],
        ["sentences", about.n_sentences],
        ["documents", about.n_documents],
        ["ambiguous tokens", _percent(about.ambiguous_share)],
        ["tags of an ambiguous word", None if about.ambiguity is None else f"{about.ambiguity:.2f}"],
        [f"wrong in gold.conllu ({about.settings.kind})", _percent(about.gold_error["all"])],
        ["of ambiguous tokens", _percent(about.gold_error["ambiguous"])],
        ["wrong in train.conllu", _percent(about.training_error["all"])],
    ]
    return Table(["text", ""], rows)


def _systems_table(about: Simulation) -> Table:
    """How good the systems are, really and by the gold."""
    rows: list[list[Cell]] = []
    for system in about.systems:
        for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
            shares = (found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
            rows.append([system.name, over, *map(_percent, shares)])
    notes = ["true: by truth.conllu; observed: by gold.conllu; t: where the gold is right; u: where it is wrong;"]
    notes.append("p: the gold's own error, where both are wrong.")
    return Table(["system", "tokens", "true", "observed", "t", "u", "p"], rows, "", notes)


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.2f} %"
