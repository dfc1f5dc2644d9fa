"""Attachment of groups learnt from how often they co-occur [Slaski, Acedański & Przepiórkowski 2012]."""
