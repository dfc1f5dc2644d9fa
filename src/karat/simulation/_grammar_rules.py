"""The grammar of simulated text: its rules, as data.

A line is `LEFT -> child child … | weight`. The head child has a star; any other has the relation that binds it to the
head child, or, with `>n`, to the n-th child, as in `NP:conj` and `cc:cc>3`. What begins with a capital letter is a
phrase, whose bracket is labelled with what stands before `_`; what begins with `_` is a choice without a bracket of its
own; what begins with a small letter is a class of words. `{a,b}` stands for one line with each.
"""

from __future__ import annotations

RULES = """
_TOP -> *S_top | 84
_TOP -> *SQ_top | 5
_TOP -> *SBARQ_top | 5
_TOP -> *FRAG_top | 4

S_top -> _singular:nsubj *VP_z dot:punct | 9
S_top -> _subject:nsubj *VP_d dot:punct | 20
S_top -> _plural:nsubj *VP_p dot:punct | 5
S_top -> _subject:nsubj *VP_m dot:punct | 6
S_top -> _singular:nsubj:pass *VP_zpass dot:punct | 4
S_top -> _plural:nsubj:pass *VP_ppass dot:punct | 3
S_top -> PP:obl comma:punct _subject:nsubj *VP_d dot:punct | 5
S_top -> PP:obl comma:punct _singular:nsubj *VP_z dot:punct | 2
S_top -> ADVP:advmod comma:punct _subject:nsubj *VP_d dot:punct | 3
S_top -> ADVP:advmod comma:punct _plural:nsubj *VP_p dot:punct | 1
S_top -> SBAR:advcl comma:punct _subject:nsubj *VP_d dot:punct | 4
S_top -> SBAR:advcl comma:punct _subject:nsubj *VP_m dot:punct | 2
S_top -> INTJ:discourse comma:punct _subject:nsubj *VP_d dot:punct | 1
S_top -> *S cc:cc>3 S:conj dot:punct | 3
S_top -> *S comma:punct>4 cc:cc>4 S:conj dot:punct | 3
S_top -> *S semicolon:punct>3 S:parataxis dot:punct | 1
S_top -> there:expl *VP_there dot:punct | 3
S_top -> both:cc:preconj>2 *S cc:cc>4 S:conj dot:punct | 1

SQ_top -> does:aux _singular:nsubj *VP_b question:punct | 3
SQ_top -> did:aux _subject:nsubj *VP_b question:punct | 4
SQ_top -> do:aux _plural:nsubj *VP_b question:punct | 3
SQ_top -> modal:aux _subject:nsubj *VP_b question:punct | 3
SQ_top -> is:cop _singular:nsubj *ADJP question:punct | 2
SQ_top -> has:aux _singular:nsubj *VP_n question:punct | 1
SBARQ_top -> WHNP:nsubj *SQ_who question:punct | 3
SBARQ_top -> WHADVP:advmod *SQ_inverted question:punct | 4
SQ_who -> *VP_d | 3
SQ_who -> *VP_z | 2
SQ_who -> *VP_m | 1
SQ_inverted -> did:aux _subject:nsubj *VP_b | 3
SQ_inverted -> does:aux _singular:nsubj *VP_b | 2
SQ_inverted -> modal:aux _subject:nsubj *VP_b | 1
WHNP -> *who | 1
WHADVP -> *why | 1
INTJ -> *interjection | 1
FRAG_top -> *NP_s dot:punct | 3
FRAG_top -> *NP_p dot:punct | 3
FRAG_top -> *ADVP dot:punct | 1
FRAG_top -> *INTJ dot:punct | 2
FRAG_top -> *INTJ | 1

S -> _singular:nsubj *VP_z | 4
S -> _subject:nsubj *VP_d | 9
S -> _plural:nsubj *VP_p | 3
S -> _subject:nsubj *VP_m | 3
S -> _singular:nsubj:pass *VP_zpass | 2
S -> _plural:nsubj:pass *VP_ppass | 1
S -> there:expl *VP_there | 1

_subject -> *_singular | 6
_subject -> *_plural | 4
_singular -> *NP_s | 7
_singular -> *NP_he | 2
_plural -> *NP_p | 7
_plural -> *NP_they | 2
NP_he -> *he | 1
NP_they -> *they | 1
_object -> *NP_s | 6
_object -> *NP_p | 5
_object -> *NP_him | 2
NP_him -> *him | 1

NP_s -> dts:det *nn | 28
NP_s -> dts:det jj:amod *nn | 14
NP_s -> dts:det jj:amod jj:amod *nn | 2
NP_s -> dts:det ADJP_before:amod *nn | 2
NP_s -> dts:det jjs:amod *nn | 2
NP_s -> dts:det jjr:amod *nn | 1
NP_s -> dts:det nn:compound *nn | 5
NP_s -> dts:det jj:amod nn:compound *nn | 2
NP_s -> *nnp | 9
NP_s -> *nnp nnp:flat | 4
NP_s -> nnp:compound *nn | 1
NP_s -> *this | 2
NP_s -> *someone | 2
NP_s -> *one PP:nmod | 1
NP_s -> my:nmod:poss *nn | 6
NP_s -> my:nmod:poss jj:amod *nn | 2
NP_s -> NP_whose:nmod:poss *nn | 3
NP_s -> NP_whose:nmod:poss jj:amod *nn | 1
NP_s -> *NP_s PP:nmod | 11
NP_s -> *NP_s SBAR_which_s:acl:relcl | 3
NP_s -> *NP_name comma:punct>3 NP_s:appos comma:punct>3 | 1
NP_s -> *NP_s VP_left:acl | 2
NP_name -> *nnp | 1
NP_name -> *nnp nnp:flat | 2
NP_whose -> *nnp whose:case | 3
NP_whose -> dts:det *nn whose:case | 2

NP_p -> *nns | 12
NP_p -> dtp:det *nns | 12
NP_p -> dtp:det jj:amod *nns | 6
NP_p -> jj:amod *nns | 7
NP_p -> jj:amod jj:amod *nns | 1
NP_p -> nn:compound *nns | 4
NP_p -> dtp:det nn:compound *nns | 2
NP_p -> cd:nummod *nns | 5
NP_p -> dtp:det cd:nummod *nns | 2
NP_p -> cd:nummod jj:amod *nns | 2
NP_p -> QP:nummod *nns | 2
NP_p -> my:nmod:poss *nns | 4
NP_p -> my:nmod:poss jj:amod *nns | 1
NP_p -> NP_whose:nmod:poss *nns | 2
NP_p -> *NP_p PP:nmod | 7
NP_p -> *NP_p SBAR_which_p:acl:relcl | 2
NP_p -> *NP_p VP_left:acl | 1
NP_p -> *NP_s cc:cc>3 NP_s:conj | 2
NP_p -> *NP_p cc:cc>3 NP_p:conj | 2
NP_p -> both:cc:preconj>2 *NP_s cc:cc>4 NP_s:conj | 1
NP_p -> *NP_s comma:punct>3 NP_s:conj cc:cc>5 NP_s:conj | 1
NP_p -> *nns cc:cc>3 nns:conj | 2
QP -> about:advmod *cd | 1

PP -> in:case *_object | 30
PP -> to:case *_object | 5
PP -> since:case *_object | 4
PP -> very:advmod in:case *_object | 1
PP_than -> than:case *_object | 1
ADVP -> *rb | 10
ADVP -> very:advmod *rb | 3
ADVP -> *up | 4
ADVP -> *rb cc:cc>3 rb:conj | 1
ADJP -> *jj | 10
ADJP -> very:advmod *jj | 4
ADJP -> *jj PP:obl | 3
ADJP -> *jj cc:cc>3 jj:conj | 2
ADJP -> *jjr PP_than:obl | 2
ADJP -> *jj S_to:advcl | 2
ADJP_before -> very:advmod *jj | 3
ADJP_before -> *jj cc:cc>3 jj:conj | 1
SBAR -> because:mark *S | 4
SBAR -> before:mark *S | 3
SBAR_that -> that:mark *S | 4
SBAR_whether -> whether:mark *S | 1
SBAR_which_s -> WHNP_which:nsubj *S_which_s | 4
SBAR_which_s -> WHNP_which:obj *S_gap | 2
SBAR_which_p -> WHNP_which:nsubj *S_which_p | 4
SBAR_which_p -> WHNP_which:obj *S_gap | 2
WHNP_which -> *which | 1
S_which_s -> *VP_d | 3
S_which_s -> *VP_z | 3
S_which_p -> *VP_d | 3
S_which_p -> *VP_p | 2
S_gap -> _subject:nsubj *VP_gap | 1
VP_gap -> *vt.d | 3
VP_gap -> modal:aux *VP_gap_b | 1
VP_gap_b -> *vt.b | 1
S_to -> *VP_to | 1
VP_to -> tobe:mark *VP_b | 1
VP_left -> *vt.n PP:obl | 2
VP_left -> *vi.g PP:obl | 2
VP_left -> *vt.g _object:obj | 2

VP_{z,d,b,g,n} -> *vi.{} | 5
VP_{z,d,b,g,n} -> *vi.{} PP:obl | 9
VP_{z,d,b,g,n} -> *vi.{} ADVP:advmod | 5
VP_{z,d,b,g,n} -> *vi.{} PP:obl PP:obl | 2
VP_{z,d,b,g,n} -> *vi.{} SBAR:advcl | 1
VP_{z,d,b,g,n} -> *vt.{} _object:obj | 20
VP_{z,d,b,g,n} -> *vt.{} _object:obj PP:obl | 6
VP_{z,d,b,g,n} -> *vt.{} _object:obj ADVP:advmod | 3
VP_{z,d,b,g,n} -> ADVP:advmod *vt.{} _object:obj | 3
VP_{z,d,b,g,n} -> *vt.{} _object:obj SBAR:advcl | 1
VP_{z,d,b,g,n} -> *vt.{} _object:obj S_to:advcl | 1
VP_{z,d,b,g,n} -> *vd.{} NP_him:iobj _object:obj | 2
VP_{z,d,b,g,n} -> *vs.{} SBAR_that:ccomp | 4
VP_{z,d,b,g,n} -> *vs.{} SBAR_whether:ccomp | 1
VP_{z,d,b,g,n} -> *vc.{} S_to:xcomp | 4
VP_{z,d,b,g,n} -> *vx.{} ADJP:xcomp | 2
VP_{z,d,b,g,n} -> *own.{} _object:obj | 3
VP_{z,d,b,g,n} -> *VP_{} cc:cc>3 VP_{}:conj | 2
VP_z -> is:aux *VP_g | 6
VP_z -> contracted:aux *VP_g | 2
VP_z -> has:aux *VP_n | 5
VP_z -> does:aux not:advmod *VP_b | 2
VP_z -> is:cop *ADJP | 6
VP_z -> is:cop *NP_s | 5
VP_z -> is:cop *PP | 2
VP_z -> is:cop not:advmod *ADJP | 1
VP_z -> contracted:cop *ADJP | 1
VP_d -> had:aux *VP_n | 5
VP_d -> did:aux not:advmod *VP_b | 5
VP_p -> are:aux *VP_g | 5
VP_p -> have:aux *VP_n | 5
VP_p -> are:cop *ADJP | 5
VP_p -> are:cop *NP_p | 2
VP_p -> are:cop not:advmod *ADJP | 1
VP_p -> do:aux not:advmod *VP_b | 2
VP_m -> modal:aux *VP_b | 8
VP_m -> modal:aux not:advmod *VP_b | 2
VP_m -> modal:aux be:cop *ADJP | 2
VP_zpass -> is:aux:pass *VP_done | 1
VP_ppass -> are:aux:pass *VP_done | 1
VP_done -> *vt.n | 2
VP_done -> *vt.n PP:obl | 4
VP_done -> ADVP:advmod *vt.n | 1
VP_there -> *exists NP_s:nsubj | 2
VP_there -> *exists NP_s:nsubj PP:obl | 2
VP_there -> *exist NP_p:nsubj | 1
VP_there -> *exist NP_p:nsubj PP:obl | 1
"""
