"""Readers of annotated text, one file a format."""
