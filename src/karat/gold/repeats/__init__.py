"""Repeated word sequences, and those that are annotated in more than one way [Wisniewski & Yvon 2019, § 3]."""
