"""Taggers that are trained here: `perceptron`, `hmm`, `most_frequent`; one interface, one file a model."""
