"""Measures of rich tags, position by position [Acedański & Przepiórkowski 2010]."""
