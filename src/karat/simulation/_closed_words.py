"""The function words of simulated text, as data.

A line is `class UPOS XPOS features : form form=lemma …`, the more frequent forms first; features that only one form has
are added in square brackets. A form has at most one reading for each UPOS.
"""

from __future__ import annotations

_FINITE = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"

# ruff: noqa: E501 a class is a line
CLOSED_WORDS = f"""
dot PUNCT . _ : .
question PUNCT . _ : ?
comma PUNCT , _ : ,
semicolon PUNCT : _ : ;
dts DET DT _ : the[Definite=Def|PronType=Art] a[Definite=Ind|PronType=Art] this[Number=Sing|PronType=Dem] that[Number=Sing|PronType=Dem] every[PronType=Tot] each[PronType=Tot] no[PronType=Neg] another[PronType=Ind] either[PronType=Ind]
dtp DET DT _ : the[Definite=Def|PronType=Art] some[PronType=Ind] all[PronType=Tot] no[PronType=Neg] both[PronType=Tot]
he PRON PRP Case=Nom|PronType=Prs : he[Gender=Masc|Number=Sing|Person=3] she[Gender=Fem|Number=Sing|Person=3]
they PRON PRP Case=Nom|PronType=Prs : they[Number=Plur|Person=3] we[Number=Plur|Person=1]
him PRON PRP Case=Acc|PronType=Prs : him=he[Gender=Masc|Number=Sing|Person=3] them=they[Number=Plur|Person=3] me=I[Number=Sing|Person=1] us=we[Number=Plur|Person=1]
my PRON PRP$ Case=Gen|Poss=Yes|PronType=Prs : their[Number=Plur|Person=3] its[Gender=Neut|Number=Sing|Person=3] my[Number=Sing|Person=1] our[Number=Plur|Person=1] your[Person=2]
this PRON DT Number=Sing|PronType=Dem : this
someone PRON NN Number=Sing : someone[PronType=Ind] nothing[PronType=Neg] everyone[PronType=Tot]
one PRON NN PronType=Ind : one some either
who PRON WP PronType=Int : who what
which PRON WDT PronType=Rel : that which
why ADV WRB PronType=Int : when where why how
there PRON EX PronType=Dem : there
interjection INTJ UH _ : yes no well oh so right
cd NUM CD NumForm=Word|NumType=Card : two three four five ten six twenty seven eight one fifty
about ADV RB _ : about almost over around
cc CCONJ CC _ : and or but
both CCONJ CC _ : both either
in ADP IN _ : of in for on with at by from about over like under around off through near against behind
to ADP IN _ : to
since ADP IN _ : after before since until
than ADP IN _ : than
because SCONJ IN _ : because while if as though so
before SCONJ IN _ : before after since until
that SCONJ IN _ : that
whether SCONJ IN _ : whether if
tobe PART TO _ : to
not PART RB Polarity=Neg : not
whose PART POS _ : 's
very ADV RB _ : very so quite even just still as
up ADV RB _ : up out there then in off over down before through around since
is AUX VBZ {_FINITE} : is=be
contracted AUX VBZ {_FINITE} : 's=be
are AUX VBP Mood=Ind|Tense=Pres|VerbForm=Fin : are=be
be AUX VB VerbForm=Inf : be
has AUX VBZ {_FINITE} : has=have
had AUX VBD Mood=Ind|Tense=Past|VerbForm=Fin : had=have
have AUX VBP Mood=Ind|Tense=Pres|VerbForm=Fin : have
does AUX VBZ {_FINITE} : does=do
did AUX VBD Mood=Ind|Tense=Past|VerbForm=Fin : did=do
do AUX VBP Mood=Ind|Tense=Pres|VerbForm=Fin : do
modal AUX MD Mood=Ind|VerbForm=Fin : will can would could may might must
exists VERB VBZ {_FINITE} : is=be
exist VERB VBP Mood=Ind|Tense=Pres|VerbForm=Fin : are=be
own.z VERB VBZ {_FINITE} : has=have does=do
own.d VERB VBD Mood=Ind|Tense=Past|VerbForm=Fin : had=have did=do
own.b VERB VB VerbForm=Inf : have do
own.g VERB VBG VerbForm=Ger : having=have doing=do
own.n VERB VBN Tense=Past|VerbForm=Part : done=do
"""
