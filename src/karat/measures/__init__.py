"""What counts as right: each measure as counts a sentence and a value from their sum."""
