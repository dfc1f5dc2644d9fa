"""How much each category of a tag matters: weights from ambiguity, from corpus queries and from grammar rules."""

from karat.weights._weights import SCHEMA, Weights, read_weights, shipped_weights, weights_text

__all__ = ["SCHEMA", "Weights", "read_weights", "shipped_weights", "weights_text"]
