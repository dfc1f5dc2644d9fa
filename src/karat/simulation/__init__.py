"""Corpora and systems whose truth is known."""
