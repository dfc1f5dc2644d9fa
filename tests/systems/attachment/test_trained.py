"""Models of attachment: kept and read again, applied to text, refused where they are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from karat.errors import DataError, UsageError
from karat.systems.model_file import Model, model_bytes, read_model

EXAMPLES = Path(karat.__file__).parent / "examples"
GOLD, ADA = EXAMPLES / "gold.conllu", EXAMPLES / "ada.conllu"


@pytest.fixture(scope="module")
def trained() -> karat.TrainedAttachment:
    counted = karat.attachment_statistics([GOLD, ADA])
    return karat.train_attachment(GOLD, counted.statistics)


@pytest.fixture(scope="module")
def model(trained: karat.TrainedAttachment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "attach.karat"
    trained.save(path)
    return path


def test_a_kept_model_attaches_as_before(trained: karat.TrainedAttachment, model: Path) -> None:
    before, after = karat.attach(trained, ADA), karat.attach(model, ADA)
    assert np.array_equal(before.parents, after.parents)
    assert np.allclose(before.shares, after.shares)
    assert before.file == after.file
    assert 0 < before.n_attached < len(before.found.objects)


def test_what_it_learnt_from_is_mostly_right(model: Path) -> None:
    """The forest has seen these sentences; those that it has not are evaluated in folds."""
    found = karat.attach(model, GOLD)
    from karat.systems.groups.syntactic_objects import parents_of_objects

    assert found.found.corpus.heads is not None
    wanted = parents_of_objects(found.found.objects, found.found.corpus.heads)
    assert (found.parents == wanted).mean() > 0.8


def test_the_same_text_makes_the_same_file(trained: karat.TrainedAttachment) -> None:
    again = karat.train_attachment(GOLD, karat.attachment_statistics([GOLD, ADA]).statistics)
    assert again.file == trained.file


def test_signals_at_the_tops_are_named(trained: karat.TrainedAttachment) -> None:
    assert len(trained.tops) == 10
    assert {name for name, _ in trained.tops} <= set(trained.model.signals)
    assert "rules" in trained.model.signals


def test_other_models_are_refused(model: Path, tmp_path: Path) -> None:
    tagger = tmp_path / "t.karat"
    karat.train("most-frequent", GOLD, calibrate=False).save(tagger)
    with pytest.raises(DataError, match=r"this is a tagger \(most-frequent\), not a model of attachment"):
        karat.load_attachment(tagger)
    with pytest.raises(DataError, match="this is a model of attachment, not a tagger"):
        karat.load_tagger(model)
    with pytest.raises(DataError, match="not co-occurrence statistics"):
        karat.load_attachment_statistics(model)


def test_a_model_that_was_changed_is_refused(model: Path, tmp_path: Path) -> None:
    kept = read_model(model)
    changed = tmp_path / "changed.karat"
    for header, message in (
        ({"threshold": 2.0}, "threshold"),
        ({"threshold": "a"}, "threshold"),
        ({"rules": {}}, "rules"),
        ({"rules": {"name": "a", "signed": "a", "text": "no"}}, "no TOML"),
        ({"statistics": {}}, "names"),
    ):
        changed.write_bytes(model_bytes(Model(kept.system, {**kept.header, **header}, kept.arrays, kept.texts)))
        with pytest.raises(DataError, match=message):
            karat.load_attachment(changed)
    without = {name: one for name, one in kept.arrays.items() if name != "left"}
    changed.write_bytes(model_bytes(Model(kept.system, kept.header, without, kept.texts)))
    with pytest.raises(DataError, match="left"):
        karat.load_attachment(changed)


def test_inputs_are_kept(trained: karat.TrainedAttachment, tmp_path: Path) -> None:
    text = tmp_path / "text.conllu"
    text.write_bytes(ADA.read_bytes())
    with pytest.raises(UsageError, match="is an input"):
        karat.attach(trained, text).write(text)
    with pytest.raises(UsageError, match="is an input"):
        trained.save(GOLD)
    assert text.read_bytes() == ADA.read_bytes()


def test_text_without_trees_teaches_nothing(tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    lines = [line.split("\t") for line in GOLD.read_text(encoding="utf-8").split("\n")]
    bare.write_text(
        "\n".join("\t".join([*one[:6], "_", "_", *one[8:]]) if len(one) > 1 else one[0] for one in lines),
        encoding="utf-8",
    )
    counted = karat.attachment_statistics(bare)
    with pytest.raises(DataError, match="no trees to learn attachment from"):
        karat.train_attachment(bare, counted.statistics)
    with pytest.raises(DataError, match="no trees to learn attachment from"):
        karat.evaluate_attachment(bare, counted.statistics)


def test_evaluation_refuses_what_cannot_be(trained: karat.TrainedAttachment) -> None:
    statistics = trained.model.statistics
    with pytest.raises(UsageError, match="no classifier is called 'oracle'"):
        karat.evaluate_attachment(GOLD, statistics, classifiers="oracle")
    with pytest.raises(UsageError, match="100 folds"):
        karat.evaluate_attachment(GOLD, statistics, folds=100)
    with pytest.raises(DataError, match="no sentence to evaluate"):
        karat.evaluate_attachment(GOLD, statistics, max_words=1)
    with pytest.raises(UsageError, match="the rules are in tags of nkjp, the text has those of ud"):
        karat.evaluate_attachment(GOLD, statistics, rules="nkjp")
    with pytest.raises(UsageError, match="groups"):
        karat.evaluate_attachment(GOLD, statistics, groups="nkjp")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from karat.systems.attachment import classifiers

    monkeypatch.setattr(classifiers, "find_spec", lambda name: None if name == "imblearn" else name)
    with pytest.raises(UsageError, match=r"need imbalanced-learn: pip install 'karat\[attach\]'"):
        karat.evaluate_attachment("nowhere.conllu", "nowhere.stats")
    with pytest.raises(UsageError, match="need imbalanced-learn"):
        karat.train_attachment("nowhere.conllu", "nowhere.stats")


def test_it_is_said_where_a_text_lacks_the_lemmas_of_the_statistics(model: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    lines = [line.split("\t") for line in GOLD.read_text(encoding="utf-8").split("\n")]
    text = "\n".join("\t".join([*one[:2], "_", *one[3:]]) if len(one) > 1 else one[0] for one in lines)
    bare.write_text(text, encoding="utf-8")
    assert [one for one in karat.attach(model, bare).warnings if "which this text lacks" in one]
    assert not [one for one in karat.attach(model, GOLD).warnings if "which this text lacks" in one]
