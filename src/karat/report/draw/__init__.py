"""Drawings as SVG: small functions of our own, shared by commands, the report and the review page."""
