"""The words that tell what a name stands for, or that there is none, as plain tables."""

import re

from veracite.engine.wording.phrases import any_of

PEOPLE = """author writer artist singer actor actress player politician scientist physicist
    composer painter poet director president king queen musician guitarist lawyer professor scholar
    historian mathematician philosopher economist footballer athlete coach journalist novelist
    playwright producer architect engineer bishop emperor minister rapper comedian businessman"""
THINGS = """company firm corporation band group team club film movie book novel album song series
    show game city town village country state region river mountain island school university college
    museum church building bridge organi[sz]ation institution agency project product device drug
    disease virus species animal plant method model system study report paper law act treaty war
    battle party bank newspaper magazine journal website software language program programme
    platform app aircraft ship vessel airport hospital station temple park stadium theatre theater
    restaurant store brand council committee charity festival event award ceremony tournament
    competition agreement policy theory technique disorder substance vaccine poem opera musical
    episode"""
# Capitalised only because they open the sentence.
NO_NAMES = frozenset(
    """he she it they we you i this that these those there here the a an his her its their our my
    your in on at by for from with to of as if when while where who what which how why after
    before during since until although though because and but or so then however also thus
    therefore moreover furthermore additionally today later meanwhile finally first second
    third many most some several few all both each every no one two three four five six seven
    eight nine ten another other such according among between under over about both its not
    only despite unlike like more less is are was were do does did please note yes there's
    it's he's she's overall below above next instead hence nonetheless nevertheless otherwise
    still yet again perhaps maybe indeed rather once besides sure certainly""".split()
)  # fmt: skip
# "Latrobe, Pa. It was ...": what a sentence may be cut behind.
STATES = frozenset(
    """ala ariz ark calif cal colo conn del fla ga ill ind kan kans ky la md mass mich minn miss mo
    mont neb nebr nev okla ore oreg pa penn tenn tex va vt wash wis wisc wyo""".split()
)
TITLE = re.compile(
    r"(?P<he>Mr\.?|Sir|Lord|King|Prince|Father)|(?P<she>Mrs\.?|Ms\.?|Miss|Lady|Dame|Queen|Princess)"
    r"|Dr\.?|Prof(?:essor|\.)?|Capt(?:ain|\.)?|President|General|Colonel|Major|Lieutenant|Sergeant"
    r"|Senator|Judge|Justice|Rev(?:erend|\.)?"
)
NO_PERSON = frozenset(
    """corporation company co corp inc ltd llc plc gmbh group university college school institute
    academy museum bridge river mountain mount lake city county state states street avenue road
    airport airlines airways air bank agency department ministry committee council association
    society club party church cathedral network radio records orchestra union act treaty war battle
    island islands park tower station hospital press journal times magazine post award awards prize
    cup league olympics championship commission board office service services foundation center
    centre kingdom republic national international global new north south east west united house
    senate court law system systems technologies project program programme theatre theater festival
    stadium railway railroad canal valley beach bay sea ocean desert street square hall castle
    palace army navy force forces police accident accidents incident incidents report reports note
    notes release memo letter summary overview history career life years work works measures key
    findings results analysis investigation background introduction conclusion discussion methods
    data early later first final annual safety executive project products timeline events
    aircraft airplane flight engine pilot crew make model type""".split()
)
HUMANS = re.compile(
    r"\b(?:pilot|captain|passenger|driver|wife|husband|partner|son|daughter|mother|father|parent"
    r"|brother|sister|uncle|aunt|cousin|child|boy|girl|student|victim|mayor|minister|governor"
    r"|chief|nurse|doctor|lawyer|judge|owner|officer|friend|spokes\w+|[a-z]+(?:ist|ian|man|woman)"
    r"|teacher|leader|manager|worker|instructor|operator|controller|mechanic|person|witness"
    rf"|someone|somebody|nobody|{any_of(PEOPLE)})\b"
)
# "The company" stands for a name. "The film industry" does not, but a name too many in the query
# costs little. "The university of Oslo" and "the song of the club" need none.
ROLE_NOUN = re.compile(
    rf"(?:former|latter|couple|pair|duo|trio|{any_of(PEOPLE)}|{any_of(THINGS)})\b", re.IGNORECASE
)
