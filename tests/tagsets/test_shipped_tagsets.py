"""The tagsets that karat has, on real tags: taken apart as their specifications say, over whole treebanks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from karat.tagsets import TagError, Tagset, read_tagset, shipped
from realdata import conllu_files, data

TAGSETS = {name: read_tagset(name) for name in shipped()}


def parsed(name: str, tag: str) -> dict[str, str]:
    """The values of a tag, those of one category joined by a slash."""
    return {category: "/".join(values) for category, values in TAGSETS[name].parse(tag).values.items()}


def place_of_error(name: str, tag: str) -> int:
    with pytest.raises(TagError) as caught:
        TAGSETS[name].parse(tag)
    return caught.value.place


def values(text: str) -> dict[str, str]:
    return dict(one.split("=") for one in text.split())


def test_these_are_the_shipped_tagsets() -> None:
    east = ("multext-east", "multext-east-hbs", "multext-east-ru", "multext-east-sl", "multext-east-uk")
    assert shipped() == (*east, "nkjp", "pdt", "penn", "ud")
    for name, tags in TAGSETS.items():
        assert tags.name == name
        assert tags.about
        assert set(tags.slots) <= set(tags.pos_names)


# ---- PDT

PDT = [
    ("NNMS1-----A----", "gender=M number=S case=1 negation=A"),
    ("NNIS2-----A---1", "gender=I number=S case=2 negation=A var=1"),
    ("NNNXX-----A---8", "gender=N number=S/P/D case=1/2/3/4/5/6/7 negation=A var=8"),
    ("NNXXX-----A---8", "gender=M/I/F/N number=S/P/D case=1/2/3/4/5/6/7 negation=A var=8"),
    ("AAFS4----2N----", "gender=F number=S case=4 grade=2 negation=N"),
    ("AAIS6----1A---7", "gender=I number=S case=6 grade=1 negation=A var=7"),
    ("A2--------A----", "negation=A"),
    ("PP-S1--2P-AA---", "number=S case=1 person=2 tense=P negation=A voice=A"),
    ("PPXP3--3-------", "gender=M/I/F/N number=P case=3 person=3"),
    ("PHZS3--3-------", "gender=M/I/N number=S case=3 person=3"),
    ("P7-X4----------", "number=S/P/D case=4"),
    ("PSYS1-S1------6", "gender=M/I number=S case=1 possnumber=S person=1 var=6"),
    ("PSXXXZS3-------", "gender=M/I/F/N number=S/P/D case=1/2/3/4/5/6/7 possgender=M/I/N possnumber=S person=3"),
    ("PSFSXFS3-------", "gender=F number=S case=1/2/3/4/5/6/7 possgender=F possnumber=S person=3"),
    ("PSIPX-X1-------", "gender=I number=P case=1/2/3/4/5/6/7 possnumber=S/P person=1"),
    (
        "P1XXXXP3------2",
        "gender=M/I/F/N number=S/P/D case=1/2/3/4/5/6/7 possgender=M/I/F/N possnumber=P person=3 var=2",
    ),
    ("P8HS1----------", "gender=F/N number=S case=1"),
    ("PKM-1--2-------", "gender=M case=1 person=2"),
    ("PDZS6---------2", "gender=M/I/N number=S case=6 var=2"),
    ("VB-S---3P-AA--7", "number=S person=3 tense=P negation=A voice=A var=7"),
    ("VB-P---1F-NA---", "number=P person=1 tense=F negation=N voice=A"),
    ("VpQW---XR-AA---", "gender=F/N number=S/P person=1/2/3 tense=R negation=A voice=A"),
    ("VpTP---XR-NA---", "gender=I/F number=P person=1/2/3 tense=R negation=N voice=A"),
    ("VpYS---2R-AA---", "gender=M/I number=S person=2 tense=R negation=A voice=A"),
    ("VsFS---2H-AP---", "gender=F number=S person=2 tense=P/R negation=A voice=P"),
    ("VsNS---XX-AP---", "gender=N number=S person=1/2/3 tense=P/R/F negation=A voice=P"),
    ("Vf--------N----", "negation=N"),
    ("Vi-P---1--A---6", "number=P person=1 negation=A var=6"),
    ("Vc-X---3-------", "number=S/P/D person=3"),
    ("VeHS------A---2", "gender=F/N number=S negation=A var=2"),
    ("RR--7----------", "case=7"),
    ("RV--2---------1", "case=2 var=1"),
    ("RF-------------", ""),
    ("TT------------8", "var=8"),
    ("PE--4----------", "case=4"),
    ("P0-------------", ""),
    ("PY-------------", ""),
    ("V~-------------", ""),
    ("J,-------------", ""),
    ("J^-------------", ""),
    ("C=-------------", ""),
    ("Z:-------------", ""),
    ("Z#-------------", ""),
    ("X@-------------", ""),
]


@pytest.mark.parametrize(("tag", "expected"), PDT)
def test_tags_of_pdt_come_apart_as_its_tables_say(tag: str, expected: str) -> None:
    tags = TAGSETS["pdt"]
    assert parsed("pdt", tag) == values(expected)
    assert tags.parse(tag).pos == tag[:2]
    assert tags.coarse(tag[:2]) == tag[0]


def test_pdt_has_all_its_parts_of_speech_and_every_subpos_has_a_single_one_but_two() -> None:
    parts = TAGSETS["pdt"].parts_of_speech
    assert {pos[0] for pos in parts} == set("ACDIJNPVRTXZ")
    assert {pos[1] for pos in parts} == set("!#%*,-.:;=?@^}~0123456789") | set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") | set(
        "abcdefghijklmnopqrstuvwxyz"
    )
    several = {pos[1] for pos in parts if sum(other[1] == pos[1] for other in parts) > 1}
    assert several == {"*", "O"}  # `krát` and `svůj` are elsewhere in the tables than in the treebank's dictionary


@pytest.mark.parametrize(
    ("tag", "place"),
    [
        ("", 0),
        ("N", 0),
        ("NX-------------", 0),
        ("NNQQ1-----A----", 3),
        ("NNMS8-----A----", 4),
        ("AUMS1S---------", 5),
        ("VB-S---4P-AA---", 7),
        ("VB-S---3P-XA---", 10),
        ("NNMS1-----A-1--", 12),
        ("NNMS1-----A--1-", 13),
        ("NNMS1-----A---A", 14),
        ("NNMS1-----A---", 14),
        ("NNMS1-----A-----", 15),
    ],
)
def test_what_is_no_tag_of_pdt_is_found_at_its_place(tag: str, place: int) -> None:
    assert place_of_error("pdt", tag) == place


# ---- MULTEXT-East: common positions (Romanian, Czech, English, Hungarian), and those of other languages

EAST = [
    ("multext-east", "Ncmsry", "type=c gender=m number=s case=r definiteness=y"),  # Romanian
    ("multext-east", "Ncfsony", "type=c gender=f number=s case=o definiteness=n clitic=y"),
    ("multext-east", "Nc---n", "type=c definiteness=n"),
    ("multext-east", "Np", "type=p"),
    ("multext-east", "Vmip3s", "type=m vform=i tense=p person=3 number=s"),
    ("multext-east", "Vmii2p----y", "type=m vform=i tense=i person=2 number=p clitic=y"),
    ("multext-east", "Vcip3s-an", "type=c vform=i tense=p person=3 number=s voice=a negative=n"),  # Czech
    (
        "multext-east",
        "Vcps-pman---yn",
        "type=c vform=p tense=s number=p gender=m voice=a negative=n animate=y clitic-s=n",
    ),
    ("multext-east", "Vcc-3", "type=c vform=c person=3"),
    ("multext-east", "Afpmsa--nc", "type=f degree=p gender=m number=s case=a animate=n formation=c"),
    ("multext-east", "Afpfdi---c", "type=f degree=p gender=f number=d case=i formation=c"),
    ("multext-east", "Afp------c", "type=f degree=p formation=c"),
    ("multext-east", "Nc-s", "type=c number=s"),  # English
    ("multext-east", "Vmps", "type=m vform=p tense=s"),
    ("multext-east", "Voip", "type=o vform=i tense=p"),
    ("multext-east", "Afs", "type=f degree=s"),
    ("multext-east", "Pp---a-----------r", "type=p case=a wh-type=r"),
    ("multext-east", "Ps3---sf", "type=s person=3 owner-number=s owner-gender=f"),
    ("multext-east-sl", "Ncmsan", "type=c gender=m number=s case=a animate=n"),  # Slovene
    ("multext-east-sl", "Ncfdg", "type=c gender=f number=d case=g"),
    ("multext-east-sl", "Vmep-sm", "type=m aspect=e vform=p number=s gender=m"),
    ("multext-east-sl", "Vmer1d", "type=m aspect=e vform=r person=1 number=d"),
    ("multext-east-sl", "Vmpu", "type=m aspect=p vform=u"),
    ("multext-east-sl", "Va-r3s-n", "type=a vform=r person=3 number=s negative=n"),
    ("multext-east-sl", "Agpmsny", "type=g degree=p gender=m number=s case=n definiteness=y"),
    ("multext-east-sl", "Px------y", "type=x clitic=y"),
    ("multext-east-sl", "Mlcmpn", "form=l type=c gender=m number=p case=n"),
    ("multext-east-sl", "Sl", "case=l"),
    ("multext-east-sl", "Z", ""),
    ("multext-east-hbs", "Ncmsay", "type=c gender=m number=s case=a animate=y"),  # Croatian and Serbian
    ("multext-east-hbs", "Ncfpv", "type=c gender=f number=p case=v"),
    ("multext-east-hbs", "Vmr3s", "type=m vform=r person=3 number=s"),
    ("multext-east-hbs", "Vmp-sm", "type=m vform=p number=s gender=m"),
    ("multext-east-hbs", "Px--sa", "type=x number=s case=a"),
    ("multext-east-hbs", "Mdc", "form=d type=c"),
    ("multext-east-hbs", "Qz", "type=z"),
    ("multext-east-hbs", "Xf", "type=f"),
    ("multext-east-ru", "Ncmsnn", "type=c gender=m number=s case=n animate=n"),  # Russian
    ("multext-east-ru", "Nccsny", "type=c gender=c number=s case=n animate=y"),
    ("multext-east-ru", "Vmip3s-a-e", "type=m vform=i tense=p person=3 number=s voice=a aspect=e"),
    ("multext-east-ru", "Vm-p-smafpn", "type=m tense=p number=s gender=m voice=a definiteness=f aspect=p case=n"),
    ("multext-east-ru", "Vm--------d", "type=m case=d"),
    ("multext-east-ru", "Sp-l", "type=p case=l"),
    ("multext-east-uk", "Nc-pnn", "type=c number=p case=n animate=n"),  # Ukrainian
    ("multext-east-uk", "Ncmsny", "type=c gender=m number=s case=n animate=y"),
    ("multext-east-uk", "Vmpip3s", "type=m aspect=p vform=i tense=p person=3 number=s"),
    ("multext-east-uk", "Afpmsnf", "type=f degree=p gender=m number=s case=n definiteness=f"),
    ("multext-east-uk", "Pp-3m-snn", "type=p person=3 gender=m number=s case=n syntactic-type=n"),
    ("multext-east-uk", "Spsl", "type=p formation=s case=l"),
]


@pytest.mark.parametrize(("name", "tag", "expected"), EAST)
def test_descriptions_of_multext_east_come_apart_as_its_tables_say(name: str, tag: str, expected: str) -> None:
    assert parsed(name, tag) == values(expected)
    assert TAGSETS[name].parse(tag).pos == tag[0]


@pytest.mark.parametrize(
    ("name", "tag", "common"),
    [
        ("multext-east-sl", "Ncmsan", "Ncmsa--n"),
        ("multext-east-hbs", "Ncmsay", "Ncmsa--y"),
        ("multext-east-uk", "Nc-pnn", "Nc-pn--n"),
        ("multext-east-uk", "Ncmsny", "Ncmsn--y"),
        ("multext-east-ru", "Ncmsgy", "Ncmsg--y"),
    ],
)
def test_a_languages_own_order_says_the_same_as_the_common_one(name: str, tag: str, common: str) -> None:
    assert parsed(name, tag) == parsed("multext-east", common)


@pytest.mark.parametrize("name", [name for name in shipped() if name.startswith("multext-east-")])
def test_languages_of_multext_east_have_only_categories_and_values_of_the_common_tables(name: str) -> None:
    common, tags = TAGSETS["multext-east"], TAGSETS[name]
    assert set(tags.categories) < set(common.categories)
    for pos, slots in tags.slots.items():
        categories = {slot.category for slot in slots} - {""}
        assert categories <= {slot.category for slot in common.slots[pos]}
        for category in categories:
            assert tags.values_in(category, pos).items() <= common.values_in(category, pos).items()


@pytest.mark.parametrize(
    ("name", "tag", "place"),
    [
        ("multext-east", "", 0),
        ("multext-east", "Bcmsn", 0),
        ("multext-east", "Nxmsn", 1),
        ("multext-east", "Ncms6", 4),
        ("multext-east", "Vmr3s", 3),  # a Croatian verb in the common order
        ("multext-east", "Va-r3s-n", 7),  # and a Slovene one: until its end it could be Chechen
        ("multext-east", "Zx", 1),
        ("multext-east", "Tfmsr---", 7),
        ("multext-east-sl", "Vmip3s", 2),  # a Romanian verb in the Slovene order
        ("multext-east-sl", "Ds1ms", 0),
        ("multext-east-hbs", "Ncmsann", 6),
        ("multext-east-ru", "Mc--nlx", 6),
        ("multext-east-uk", "Vmpip4s", 5),
    ],
)
def test_what_is_no_description_of_multext_east_is_found_at_its_place(name: str, tag: str, place: int) -> None:
    assert place_of_error(name, tag) == place


# ---- UD


def test_features_of_ud_come_apart_with_layers_several_values_and_those_that_a_language_adds() -> None:
    tag = "PRON|Case=Nom|Number[psor]=Plur|Person[psor]=1|PronType=Prs,Rel|Gender[psor]=Fem,Masc|Variant=Short"
    assert parsed("ud", tag) == values(
        "Case=Nom Number[psor]=Plur Person[psor]=1 PronType=Prs/Rel Gender[psor]=Fem/Masc Variant=Short"
    )
    assert parsed("ud", "PUNCT|_") == parsed("ud", "PUNCT") == {}
    assert parsed("ud", "NOUN|NounClass=Bantu14|Case=Xyz") == {"NounClass": "Bantu14", "Case": "Xyz"}


@pytest.mark.parametrize(
    ("tag", "place"),
    [
        ("noun|Case=Nom", 0),
        ("CONJ|_", 0),
        ("NOUN|case=Nom", 5),
        ("NOUN|Case[Psor]=Nom", 5),
        ("NOUN|Case[]=Nom", 5),
        ("NOUN|Case=Nom|Number=sing", 21),
        ("NOUN|Case=Nom,", 10),
        ("NOUN|Case=Nom|Case=Acc", 14),
        ("NOUN|Case", 5),
        ("NOUN||Case=Nom", 5),
    ],
)
def test_what_is_not_well_formed_in_ud_is_found_at_its_place(tag: str, place: int) -> None:
    assert place_of_error("ud", tag) == place


# ---- Penn


def test_a_tag_of_penn_is_its_part_of_speech_whatever_it_looks_like() -> None:
    for tag in ("NN", "PRP$", "''", "``", ":", ",", ".", "#", "(", "-LRB-", "HYPH"):
        found = TAGSETS["penn"].parse(tag)
        assert (found.pos, found.values) == (tag, {})


@pytest.mark.parametrize("tag", ["", "nn", "NNX", "NN|VBG", "NN:NNS", " NN"])
def test_what_is_no_tag_of_penn_is_an_error_at_its_beginning(tag: str) -> None:
    assert place_of_error("penn", tag) == 0


# ---- NKJP


@pytest.mark.parametrize(
    ("tag", "place"),
    [
        ("rzeczownik:sg", 0),
        ("subst:sg:nom", 12),
        ("subst:sg:nom:m4", 13),
        ("fin:sg:ter:imperf:pos", 18),
        ("adj:sg:nom.akc:f:pos", 7),
    ],
)
def test_what_is_no_tag_of_nkjp_is_found_at_its_place(tag: str, place: int) -> None:
    assert place_of_error("nkjp", tag) == place


# ---- real treebanks


def rows(path: Path) -> Iterator[list[str]]:
    """The words of a CoNLL-U file, column by column, without ranges and empty nodes."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if cells[0].isdigit():
                yield cells


def tags_in(paths: list[Path], tags: Tagset) -> set[str]:
    """The different tags of some treebanks that a tagset is for."""
    if tags.name == "ud":
        return {f"{row[3]}|{row[5]}" for path in paths for row in rows(path)}
    return {row[4] for path in paths for row in rows(path)}


@pytest.mark.parametrize("name", conllu_files())
def test_all_tags_of_all_treebanks_parse_as_ud(name: str) -> None:
    found = tags_in([data(name)], TAGSETS["ud"])
    assert len(found) > 10
    assert TAGSETS["ud"].parsed(sorted(found))[1] == []


@pytest.mark.parametrize(("treebank", "n_tags"), [("UD_English-EWT", 50), ("UD_English-GUM", 46)])
def test_all_tags_of_ewt_and_gum_are_penns(treebank: str, n_tags: int) -> None:
    short = treebank.removeprefix("UD_English-").lower()
    paths = [data(f"ud-2.3/{treebank}/en_{short}-ud-{part}.conllu") for part in ("train", "dev", "test")]
    found = tags_in(paths, TAGSETS["penn"])
    assert len(found) == n_tags
    assert TAGSETS["penn"].parsed(sorted(found))[1] == []


@pytest.mark.parametrize(
    ("names", "n_tags"),
    [(["PDB/pl_pdb-ud-dev", "PDB/pl_pdb-ud-test"], 692), (["PUD/pl_pud-ud-test"], None)],
)
def test_all_tags_of_polish_pdb_and_pud_are_nkjps(names: list[str], n_tags: int | None) -> None:
    found = tags_in([data(f"ud-2.18/UD_Polish-{name}.conllu") for name in names], TAGSETS["nkjp"])
    assert len(found) == n_tags or n_tags is None
    assert len(found) > 100
    assert TAGSETS["nkjp"].parsed(sorted(found))[1] == []


def test_polish_xpos_and_features_agree_in_number_wherever_both_have_one() -> None:
    """Two tagsets read two columns of the same words: what they say of number must be the same."""
    numbers = {"sg": "Sing", "pl": "Plur"}
    seen: set[tuple[str, str]] = set()
    for row in rows(data("ud-2.18/UD_Polish-PUD/pl_pud-ud-test.conllu")):
        nkjp = TAGSETS["nkjp"].parse(row[4]).values.get("number", ())
        ud = TAGSETS["ud"].parse(f"{row[3]}|{row[5]}").values.get("Number", ())
        if len(nkjp) == 1 and ud:
            seen.add((numbers[nkjp[0]], ud[0]))
    assert {("Sing", "Sing"), ("Plur", "Plur")} <= seen <= {("Sing", "Sing"), ("Plur", "Plur"), ("Plur", "Ptan")}
