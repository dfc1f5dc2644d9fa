"""What results cite: what they used, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import karat
from bibtex import entries_of
from examples import EXAMPLES
from karat.citations import sources
from karat.citations.bibliography import bibliography, karat_entry
from karat.citations.sources import OF_SOURCE, Use
from karat.measures.catalogue import every_measure

GOLD = EXAMPLES / "gold.conllu"
SYSTEMS: dict[str, Any] = {name: EXAMPLES / f"{name}.conllu" for name in ("ada", "bix")}


def keys(*results: Any) -> set[str]:
    return {one.key for one in karat.cite(*results).entries}


def every_use() -> list[Use]:
    """All uses that the tables of sources have."""
    values = [
        one for value in vars(sources).values() for one in (value.values() if isinstance(value, dict) else [value])
    ]
    return [one for one in values if isinstance(one, Use)]


def test_the_bibliography_is_valid_and_in_the_order_of_its_keys() -> None:
    entries = entries_of("\n\n".join(bibliography().values()))
    assert list(entries) == sorted(bibliography()) == list(bibliography())
    assert len(entries) > 50


def test_keys_name_the_first_author_and_the_year() -> None:
    plain = str.maketrans("", "", "{}\\'\"`^~")
    for key, entry in entries_of("\n\n".join(bibliography().values())).items():
        first = entry.fields["author"].split(",")[0].translate(plain).lower()
        assert key.startswith(first), key
        assert key.endswith(entry.fields["year"]), key


def test_pages_are_ranges_upwards() -> None:
    for key, entry in entries_of("\n\n".join(bibliography().values())).items():
        if pages := entry.fields.get("pages"):
            first, last = map(int, pages.split("--"))
            assert first < last, key


def test_every_source_of_a_measure_has_an_entry_but_karats_own() -> None:
    named = {one.source for one in every_measure()} - {"karat"}
    assert named == set(OF_SOURCE)
    assert {OF_SOURCE[one] for one in named} <= set(bibliography())


def test_all_keys_of_uses_are_in_the_bibliography_and_all_entries_in_a_use() -> None:
    used = {key for one in every_use() for key in one.keys} | set(OF_SOURCE.values()) | set(sources.OF_PAPER.values())
    assert used == set(bibliography())


def test_what_is_said_of_uses_cannot_be_taken_for_an_entry() -> None:
    assert [one.what for one in every_use() if "@" in one.what or not one.what.isascii()] == []


def test_a_score_with_intervals_cites_the_jackknife_and_one_without_does_not() -> None:
    def scored(n_resamples: int) -> set[str]:
        inference = karat.InferenceOptions(n_resamples=n_resamples)
        return keys(karat.score(GOLD, SYSTEMS, measures="LAS", inference=inference))

    assert scored(200) == {"karat", "zeman-2018", "miller-1974"}
    assert scored(0) == {"karat", "zeman-2018"}


@pytest.mark.parametrize(("method", "key"), [("percentile", "efron-1979"), ("bca", "efron-1987")])
def test_only_a_bootstrap_cites_the_bootstrap(method: Any, key: str) -> None:
    inference = karat.InferenceOptions(n_resamples=400, method=method)
    assert keys(karat.score(GOLD, SYSTEMS, measures="LAS", inference=inference)) == {"karat", "zeman-2018", key}


def test_measures_of_karats_own_cite_karat_alone() -> None:
    inference = karat.InferenceOptions(n_resamples=0)
    assert keys(karat.score(GOLD, SYSTEMS, measures="Deprels", inference=inference)) == {"karat"}


def test_an_adjustment_is_cited_only_where_there_are_several_comparisons() -> None:
    two = karat.compare(GOLD, SYSTEMS, measures="LAS")
    three = karat.compare(GOLD, {**SYSTEMS, "gold": GOLD}, measures="LAS")
    assert "holm-1979" not in keys(two)
    assert {"holm-1979", "piepho-2004"} <= keys(three)


def test_a_margin_cites_the_test_of_equivalence() -> None:
    assert "schuirmann-1987" not in keys(karat.compare(GOLD, SYSTEMS, measures="LAS"))
    assert "schuirmann-1987" in keys(karat.compare(GOLD, SYSTEMS, measures="LAS", margin=0.01))


def test_an_exact_test_and_one_by_random_swaps_cite_different_papers() -> None:
    """The recall of both systems is over the same words of the gold."""
    exact, random = (keys(karat.compare(GOLD, SYSTEMS, measures="LAS", statistic=name)) for name in ("recall", "f1"))
    assert exact - random == {"pagano-tritchler-1983"}
    assert random - exact == {"noreen-1989", "chung-romano-2013", "konietschke-pauly-2014"}


def test_exact_is_the_measure_of_rich_tags_or_of_hierarchies() -> None:
    """Both families have a measure of this name."""
    rich: Any = {"schema": "karat/score/1", "signature": "karat:1|tagset:nkjp", "systems": [{"exact": {"value": 0.5}}]}
    assert keys(rich) == {"karat", sources.ACEDANSKI}
    assert keys({**rich, "signature": "karat:1|hierarchy:a.txt"}) == {"karat", sources.MELAMED}


def test_several_results_are_cited_together_with_their_measures_in_one_line() -> None:
    inference = karat.InferenceOptions(n_resamples=0)
    one, two = (karat.score(GOLD, SYSTEMS, measures=name, inference=inference) for name in ("LAS", "UPOS"))
    cited = karat.cite(one, two)
    assert [(each.key, each.uses) for each in cited.entries][1:] == [("zeman-2018", ("the measures UPOS, LAS",))]
    assert entries_of(str(cited))["zeman-2018"].comments == ["the measures UPOS, LAS"]


def test_karat_is_cited_with_the_version_that_computed_the_result() -> None:
    old: Any = {"schema": "karat/convert/1", "signature": "karat:0.0.7|verb:convert"}
    (entry,) = karat.cite(old).entries
    assert entry.key == "karat"
    assert "Version 0.0.7" in entry.bibtex
    new = {**old, "signature": f"karat:{karat.__version__}|verb:convert"}
    assert [one.key for one in karat.cite(old, new).entries] == ["karat-0.0.7", f"karat-{karat.__version__}"]
    assert [one.key for one in karat.cite().entries] == ["karat"]


def test_the_entry_of_karat_is_valid() -> None:
    (entry,) = entries_of(karat_entry("1.2.3") + "\n").values()
    assert entry.fields["author"] == "{The karat contributors}"
    assert entry.fields["note"] == "Version 1.2.3"
