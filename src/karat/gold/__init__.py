"""How good the gold is: repeats, divergence, errors set aside, corrections [Wisniewski & Yvon 2019]."""
