"""What a score can mean when the gold itself is wrong, and what people must check to know [Padró & Màrquez 1998]."""
