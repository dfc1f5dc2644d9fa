"""Classifiers of pairs: edge or no edge, from their signals [Slaski, Acedański & Przepiórkowski 2012, §2.4].

The paper's choice is a balanced random forest: every tree learns from as many pairs without an edge as there are pairs
with one [Chen, Liaw & Breiman 2004]. Beside it stand those that the paper tried, and gradient boosting.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats
from karat.errors import UsageError

BALANCED_FOREST = "balanced-forest"
N_TREES = 100
N_TREES_TO_CHOOSE = 30  # of forests that only choose a threshold
_MOST_FOR_SVM = 6_000  # pairs, drawn in balance: its work grows with the square of their number
_N_CLUSTERS = 60


@dataclass(frozen=True, slots=True)
class Classifier:
    """What a classifier is, and how one is made from a seed, the number of jobs, and how many trees a forest has."""

    what: str
    made: Callable[[int, int, int], Any]


def _balanced_forest(seed: int, jobs: int, n_trees: int) -> Any:
    from imblearn.ensemble import BalancedRandomForestClassifier

    return BalancedRandomForestClassifier(
        n_trees, sampling_strategy="all", replacement=True, bootstrap=False, random_state=seed, n_jobs=jobs
    )


def _forest(seed: int, jobs: int, n_trees: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_trees, random_state=seed, n_jobs=jobs)


def _subsampled(made: Callable[[int, int, int], Any], most: int | None = None) -> Callable[[int, int, int], Any]:
    return lambda seed, jobs, n_trees: _Subsampled(made(seed, jobs, n_trees), seed, most)


def _tree(seed: int, jobs: int, n_trees: int) -> Any:
    del jobs, n_trees
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=20, random_state=seed)


def _svm(seed: int, jobs: int, n_trees: int) -> Any:
    del jobs, n_trees
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer
    from sklearn.svm import SVC

    return make_pipeline(QuantileTransformer(n_quantiles=200, random_state=seed), SVC(random_state=seed))


def _boosting(seed: int, jobs: int, n_trees: int) -> Any:
    del jobs, n_trees
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=seed)


def _clustering(seed: int, jobs: int, n_trees: int) -> Any:
    del jobs, n_trees
    return _Clusters(seed)


CLASSIFIERS: Mapping[str, Classifier] = {
    BALANCED_FOREST: Classifier("balanced random forest: every tree from a balanced sample", _balanced_forest),
    "forest": Classifier("random forest of all pairs", _forest),
    "subsampled-forest": Classifier("random forest of one balanced sample", _subsampled(_forest)),
    "decision-tree": Classifier("one decision tree", _tree),
    "svm": Classifier("support vector machine of one balanced sample", _subsampled(_svm, _MOST_FOR_SVM)),
    "clustering": Classifier("k-means; a cluster's share of edges in training", _clustering),
    "gradient-boosting": Classifier("gradient boosting of histograms", _boosting),
}


def classifiers_named(names: str | list[str]) -> list[str]:
    """The classifiers of a list with commas; a `UsageError` for one that karat does not have."""
    found = [one for name in names.split(",") if (one := name.strip())] if isinstance(names, str) else list(names)
    if not found:
        raise UsageError(f"name a classifier: {', '.join(CLASSIFIERS)}, or all")
    if found == ["all"]:
        return list(CLASSIFIERS)
    for one in found:
        if one not in CLASSIFIERS:
            raise UsageError(f"no classifier is called {one!r}; choose from {', '.join(CLASSIFIERS)}")
    return list(dict.fromkeys(found))


def refuse_missing_packages() -> None:
    """A `UsageError` if what classifiers are made with is not installed."""
    if missing := [one for one in ("sklearn", "imblearn") if find_spec(one) is None]:
        names = {"sklearn": "scikit-learn", "imblearn": "imbalanced-learn"}
        raise UsageError(
            f"classifiers of attachment need {' and '.join(names[one] for one in missing)}: pip install 'karat[attach]'"
        )


def fitted(name: str, signals: Floats, is_edge: Flags, *, seed: int, jobs: int = 1, n_trees: int = N_TREES) -> Any:
    """A classifier that has learnt these pairs."""
    if not (is_edge.any() and (~is_edge).any()):
        raise UsageError("pairs with an edge and pairs without are needed to learn from")
    from threadpoolctl import threadpool_limits

    # threads of their own would wait for each other on a busy machine; of few pairs there are fewer quantiles
    with threadpool_limits(jobs), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "n_quantiles")
        return CLASSIFIERS[name].made(seed, jobs, n_trees).fit(signals, is_edge)


def probabilities(classifier: Any, signals: Floats) -> Floats:
    """How likely each pair is an edge, as the classifier sees it; of machines that have no probabilities, a rank."""
    if not len(signals):
        return np.zeros(0)
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return _probabilities(classifier, signals)


def _probabilities(classifier: Any, signals: Floats) -> Floats:
    if hasattr(classifier, "predict_proba"):
        found: Floats = classifier.predict_proba(signals)[:, 1]
        return found
    margins: Floats = classifier.decision_function(signals)
    return 1.0 / (1.0 + np.exp(-margins))


class _Subsampled:
    """A classifier that learns from as many pairs without an edge as there are with one, drawn once."""

    def __init__(self, inner: Any, seed: int, most: int | None) -> None:
        self._inner, self._seed, self._most = inner, seed, most

    def fit(self, signals: Floats, is_edge: Flags) -> _Subsampled:
        rng = np.random.default_rng(self._seed)
        sides = [np.flatnonzero(is_edge), np.flatnonzero(~is_edge)]
        n = min(map(len, sides)) if self._most is None else min(*map(len, sides), self._most // 2)
        drawn = np.sort(np.concatenate([rng.choice(one, n, replace=False) for one in sides]))
        self._inner.fit(signals[drawn], is_edge[drawn])
        return self

    def decision_function(self, signals: Floats) -> Floats:
        """Log-odds, or the distance from the margin."""
        if hasattr(self._inner, "predict_proba"):
            shares = np.clip(self._inner.predict_proba(signals)[:, 1], 1e-6, 1 - 1e-6)
            found: Floats = np.log(shares / (1 - shares))
            return found
        margins: Floats = self._inner.decision_function(signals)
        return margins


class _Clusters:
    """Clusters of pairs; a new pair is as likely an edge as those of its cluster are."""

    def __init__(self, seed: int) -> None:
        from sklearn.cluster import MiniBatchKMeans
        from sklearn.preprocessing import QuantileTransformer

        self._scale = QuantileTransformer(n_quantiles=200, random_state=seed)
        self._means = MiniBatchKMeans(_N_CLUSTERS, n_init=3, random_state=seed)
        self._shares = np.zeros(_N_CLUSTERS)

    def fit(self, signals: Floats, is_edge: Flags) -> _Clusters:
        cluster = self._means.fit_predict(self._scale.fit_transform(signals))
        sizes = np.bincount(cluster, minlength=_N_CLUSTERS)
        edges = np.bincount(cluster, weights=is_edge, minlength=_N_CLUSTERS)
        self._shares = edges / np.maximum(sizes, 1)
        return self

    def predict_proba(self, signals: Floats) -> Floats:
        shares = self._shares.take(self._means.predict(self._scale.transform(signals)))
        return np.stack([1 - shares, shares], axis=1)
