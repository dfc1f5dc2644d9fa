"""Attachment from co-occurrence: which groups of a sentence are connected [Slaski, Acedański & Przepiórkowski 2012]."""
