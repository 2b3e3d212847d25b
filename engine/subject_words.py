"""The words that tell what a name stands for, or that there is none, as plain tables."""

import re

from veracite.engine.phrases import any_of

__all__ = [
    "ADVERBIAL",
    "CONNECTIVE",
    "DATE",
    "EXPLETIVE",
    "HUMANS",
    "IMPERSONAL",
    "NO_NAMES",
    "NO_PERSON",
    "PEOPLE",
    "STATES",
    "THINGS",
    "TITLE",
]

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

# What stands in front of the subject.
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
CONNECTIVE = re.compile(
    any_of(
        "and but so then also however later afterwards? thereafter meanwhile today eventually"
        " finally moreover furthermore additionally subsequently since_then by_then"
    )
    + r"\b,? |"
    + any_of(
        "yes no well currently initially originally overall therefore thus similarly likewise"
        " nevertheless nonetheless consequently instead sadly unfortunately"
    )
    + ", ",
    re.IGNORECASE,
)
ADVERBIAL = re.compile(
    any_of(
        "in on at by after before during since from until as for with under between when while"
        " throughout upon despite unlike besides following because(?=_of) due(?=_to) outside inside"
        " within across around near among beyond alongside led born raised founded based released"
        " along(?=_with) prior(?=_to) based(?=_on) contrary(?=_to) according(?=_to)"
    )
    + r"\b[^,;:.]{1,60}, ",
    re.IGNORECASE,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date needs no comma: "On 30 November 2007 a Cessna 152 ...".
DATE = re.compile(
    r"(?:in|on|by|since|during|around|until|from) (?:(?:early|late|mid|the)[ -])*"
    rf"(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{_DAY} )?{_MONTH}(?: {_DAY}\b)?"
    r"(?:,? (?:of )?\d{4})?|\d{4}s?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),? "
    r"(?=(?:an?|the|he|she|it|they|his|her|its|their|this)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
# "It" that stands for nothing: "It's important to note that the pilot ...".
EXPLETIVE = re.compile(
    r"it(?: is| was|['’]s| has been| should be| must be) (?:also |\w+ly )?"
    + any_of(
        """important worth noteworthy notable known believed estimated thought said reported claimed
        likely unlikely clear possible true noted accepted assumed argued alleged"""
    )
    + r"(?: (?:to [a-z]+|noting|mentioning|remembering))?,? that ",
    re.IGNORECASE,
)
# "It" that stands for what comes later: "It is illegal to ...", "It was Bell who ...".
IMPERSONAL = re.compile(
    r"it(?:['’]s| "
    + any_of("is was has_been had_been would_be will_be can_be may_be became remains")
    + rf")(?: {any_of('also now still not often considered been [a-z]+ly')})* (?:"
    + any_of(
        """illegal legal unlawful lawful possible impossible important essential necessary crucial
        vital common rare unusual customary advisable best better wise worth unclear unknown
        uncertain clear disrespectful impolite rude (?:their|our|your|his|her|the)_(?:duty|job|aim)
        (?:their|our|your|his|her|the)_responsibility"""
    )
    + r"\b(?: for [^.,;]{1,40}?)?"
    r"(?: to (?!(?:the|an?|his|her|its|their|all|both|most|many|some|any)\b)"
    r"| (?:that|whether|if|how|when|why|who|[a-z]+ing)\b)"
    r"|(?-i:[A-Z])[\w .'’-]{1,40} (?:who|that)\b"
    r"|(?:only|not until|until|in|at|on|because|through) [^.;]{1,60} that\b)"
    r"|it (?:takes|took|would take) [^.,;]{1,40} to\b",
    re.IGNORECASE,
)
