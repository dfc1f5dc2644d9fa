"""Results as tables for people and as data for programs."""
