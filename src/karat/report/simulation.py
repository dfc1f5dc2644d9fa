"""What is true of a simulated corpus and its systems, as tables for people."""

from __future__ import annotations

from karat.report.shown import shown_share
from karat.result import Cell, Report, Table
from karat.simulation.described import Simulation


def simulation_report(about: Simulation) -> Report:
    """How good the systems are, really and by the gold; the text and its gold."""
    wrong = shown_share(about.gold_error["all"])
    verdict = f"Simulated {about.settings.n_tokens:,} tokens; {wrong} of the gold's tags are wrong."
    notes = ["true: by truth.conllu; observed: by gold.conllu; t: where the gold is right; u: where it is wrong; "]
    notes[0] += "p: share of the gold's own error where both are wrong."
    return Report([verdict], [_systems_table(about), _text_table(about)], notes)


def _text_table(about: Simulation) -> Table:
    """What was made, and how much of the gold is wrong."""
    rows: list[list[Cell]] = [
        ["tokens", about.settings.n_tokens],
        ["sentences", about.n_sentences],
        ["documents", about.n_documents],
        ["ambiguous tokens", shown_share(about.ambiguous_share)],
        ["tags of an ambiguous word", about.ambiguity],
        [f"wrong in gold.conllu ({about.settings.kind})", shown_share(about.gold_error["all"])],
        ["of ambiguous tokens", shown_share(about.gold_error["ambiguous"])],
        ["wrong in train.conllu", shown_share(about.training_error["all"])],
    ]
    return Table(["text", ""], rows)


def _systems_table(about: Simulation) -> Table:
    """How good the systems are, really and by the gold."""
    rows: list[list[Cell]] = []
    for system in about.systems:
        for over, found in (("all", system.all_tokens), ("ambiguous", system.ambiguous)):
            shares = (found.true_accuracy, found.observed_accuracy, found.t, found.u, found.p)
            rows.append([system.name, over, *map(shown_share, shares)])
    return Table(["system", "tokens", "true", "observed", "t", "u", "p"], rows)
