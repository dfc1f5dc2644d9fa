"""How different corpora are, in words and in annotation [Wisniewski & Yvon 2019, § 4.2]."""
