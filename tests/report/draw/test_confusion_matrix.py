"""The confusion matrix: counts, the diagonal framed, errors shaded, rare labels together."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

from drawn_svg import SVG, group, parsed, texts, titles
from karat.report.draw.confusion_matrix import confusion_matrix

COUNTS = {("NOUN", "NOUN"): 90, ("NOUN", "VERB"): 9, ("NOUN", "X"): 1, ("VERB", "VERB"): 40, ("X", "NOUN"): 5}


def test_counts_and_shares_stand_in_cells_and_titles() -> None:
    root = parsed(confusion_matrix(COUNTS, column="UPOS", system="ada").svg)
    said = titles(root)
    assert "gold NOUN, system VERB: 9, 9.0 % of the gold's NOUN" in said
    assert "gold VERB, system VERB: 40, 100.0 % of the gold's VERB" in said
    assert not any("gold VERB, system NOUN" in one for one in said)  # none: an empty place
    assert [one for one in texts(root) if one in {"90.0", "100.0", "0.0"}] == ["90.0", "100.0", "0.0"]  # % right


def test_the_diagonal_is_framed_and_the_rest_shaded_by_the_share_of_the_row() -> None:
    root = parsed(confusion_matrix(COUNTS, column="UPOS", system="ada").svg)
    diagonal, errors = group(root, "gold NOUN, system NOUN"), ["NOUN, system X", "NOUN, system VERB", "X, system NOUN"]
    assert [one.get("stroke-width") for one in diagonal.findall(f"{SVG}polyline")] == ["2"]
    assert diagonal.findall(f"{SVG}polygon") == []
    shades = [
        float(group(root, f"gold {words}").findall(f"{SVG}polygon")[0].get("fill-opacity") or 1) for words in errors
    ]
    assert shades == sorted(shades)
    assert len({*shades}) == 3


def test_labels_are_in_the_order_given_or_by_how_often_the_gold_has_them() -> None:
    def order(*labels: str) -> list[str]:
        return [row[0] for row in confusion_matrix(COUNTS, column="UPOS", system="a", labels=labels).table.rows]  # type: ignore[misc]

    assert order() == ["NOUN", "VERB", "X"]
    assert order("X", "ADJ") == ["X", "ADJ", "NOUN", "VERB"]


def test_rare_labels_are_put_together_and_what_is_right_among_them_is_said() -> None:
    counts = COUNTS | {("A", "A"): 3, ("A", "B"): 2, ("B", "NOUN"): 1}
    drawn = confusion_matrix(counts, column="UPOS", system="ada", most=2)
    root = parsed(drawn.svg)
    assert "other (3)" in texts(root)
    whole = "gold other (3), system other (3): 5, 45.5 % of the gold's other (3); 3 of them have the same label"
    assert whole in titles(root)
    both = group(root, "gold other (3), system other (3)")
    assert [one.get("stroke-dasharray") for one in both.findall(f"{SVG}polyline")] == ["5 4"]
    assert list(drawn.table.rows[2]) == ["other (3)", 6, 0, 5, 11, 100 * 3 / 11]


@given(
    st.dictionaries(st.tuples(*[st.sampled_from("abcdefgh")] * 2), st.integers(0, 50), min_size=1), st.integers(1, 9)
)
def test_no_count_is_lost_whatever_is_put_together(counts: dict[tuple[str, str], int], most: int) -> None:
    table = confusion_matrix(counts, column="UPOS", system="ada", most=most).table
    assert sum(row[-2] for row in table.rows) == sum(counts.values())  # type: ignore[misc]
    by_gold: Counter[str] = Counter()
    for (gold, _), count in counts.items():
        by_gold[gold] += count
    for label, *_, total, share in table.rows:
        if label in by_gold:
            assert total == by_gold[str(label)]
            assert share == (100 * counts.get((str(label), str(label)), 0) / by_gold[str(label)] if total else None)


def test_cells_lead_to_the_page_where_a_link_is_given() -> None:
    root = parsed(confusion_matrix(COUNTS, column="UPOS", system="ada", links={("NOUN", "VERB"): "#c-1"}).svg)
    (link,) = root.iter(f"{SVG}a")
    assert (link.get("href"), texts(link)) == ("#c-1", ["9"])
