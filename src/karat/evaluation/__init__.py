"""How good systems are and which differences are real: one task a kind of data, one road for all."""
