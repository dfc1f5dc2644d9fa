"""How well annotators agree, flat or over a hierarchy [Melamed & Resnik 2000, § 4]."""
