"""Word lists for generated pairs: what may replace what, and what that does to the truth."""

from __future__ import annotations

MONTHS = (
    "January February March April May June July August September October November December"
).split()
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
NATIONALITIES = (
    "American British English Scottish Irish Welsh Canadian Australian French German Italian "
    "Spanish Russian Polish Dutch Swedish Norwegian Danish Finnish Japanese Chinese Indian "
    "Mexican Brazilian Argentine Greek Turkish Israeli Austrian Swiss Belgian Hungarian Czech "
    "Ukrainian Korean Pakistani Egyptian Nigerian Portuguese Romanian Cuban"
).split()
OCCUPATIONS = (
    "actor|actress|singer|songwriter|politician|lawyer|footballer|cricketer|painter|novelist|"
    "poet|journalist|physicist|chemist|mathematician|composer|philosopher|historian|architect|"
    "economist|engineer|comedian|director|producer|screenwriter|playwright|guitarist|drummer|"
    "businessman|boxer|wrestler|swimmer|sculptor|biologist|astronomer|general|admiral|bishop|"
    "priest|diplomat|banker|teacher|surgeon|photographer|dancer|model|cyclist|golfer|rapper"
).split("|")
UNIVERSITIES = (
    "Harvard University|Yale University|Princeton University|Stanford University|"
    "the University of Oxford|the University of Cambridge|Columbia University|"
    "the University of Chicago|the University of California, Berkeley|New York University|"
    "the University of Michigan|the University of Edinburgh|McGill University|"
    "Georgetown University|Cornell University|the University of Toronto|Duke University|"
    "the London School of Economics|the University of Virginia|Trinity College Dublin"
).split("|")
PLACES = (
    "New York City|London|Chicago|Los Angeles|Paris|Berlin|Boston|Toronto|Sydney|Rome|Vienna|"
    "Philadelphia|San Francisco|Dublin|Edinburgh|Manchester|Moscow|Tokyo|Texas|Ohio|Virginia|"
    "California|Ontario|Pennsylvania|Melbourne|Madrid|Amsterdam|Stockholm|Mumbai|Detroit|Seattle"
).split("|")
HONOURS = (
    "an Academy Award|a Grammy Award|the Pulitzer Prize|a Tony Award|the Order of the British "
    "Empire|an Emmy Award|the National Medal of Science|the Order of Canada|a Golden Globe|"
    "a Guggenheim Fellowship|the Booker Prize|an honorary doctorate|the Legion of Honour|"
    "the Presidential Medal of Freedom|an Olympic gold medal"
).split("|")
PAPERS = (
    "The New York Times|The Washington Post|The Guardian|Time magazine|the BBC|The Wall Street "
    "Journal|The New Yorker|Rolling Stone"
).split("|")

_OPPOSITES = (
    "first/last before/after increased/decreased increase/decrease increases/decreases "
    "north/south northern/southern eastern/western largest/smallest larger/smaller won/lost "
    "mother/father son/daughter brother/sister sons/daughters brothers/sisters early/late "
    "husband/wife older/younger oldest/youngest eldest/youngest higher/lower highest/lowest "
    "above/below more/fewer most/least major/minor began/ended begins/ends opened/closed "
    "male/female men/women joined/left supported/opposed accepted/rejected successful/unsuccessful "
    "successfully/unsuccessfully arrived/departed public/private upper/lower inside/outside "
    "earlier/later earliest/latest king/queen prince/princess boy/girl actor/actress "
    "always/never often/rarely common/rare commonly/rarely positive/negative winning/losing "
    "victory/defeat gained/lost rose/fell short/long longest/shortest old/new ancient/modern "
    "hot/cold warm/cool rural/urban former/current maximum/minimum attack/defend left/right "
    "passed/failed bought/sold easy/difficult strong/weak strongest/weakest included/excluded "
    "includes/excludes black/white summer/winter spring/autumn day/night east/west "
    "present/absent alive/dead legal/illegal married/divorced possible/impossible "
    "elected/defeated promoted/demoted entered/left started/finished liberal/conservative "
    "domestic/foreign top/bottom front/back heavy/light thick/thin fast/slow better/worse "
    "best/worst many/few all/none both/neither with/without expanded/reduced allowed/forbade "
    "permanent/temporary internal/external native/foreign democratic/republican"
)
OPPOSITES: dict[str, list[str]] = {}
for _pair in _OPPOSITES.split():
    _a, _b = _pair.split("/")
    OPPOSITES.setdefault(_a, []).append(_b)
    OPPOSITES.setdefault(_b, []).append(_a)
for _one_way in ("men", "left", "all", "with", "first"):
    OPPOSITES[_one_way] = OPPOSITES[_one_way][:1]

SAME = tuple(
    tuple(entry.split("="))
    for entry in (
        "is located in=lies in|is located in=can be found in|located=situated|was founded in="
        "was established in|founded=set up|established=founded|began=started|begins=starts|"
        "film=movie|films=movies|also known as=also called|better known as=known more widely as|"
        "such as=for example|approximately=about|approximately=roughly|around=about|"
        "received=was given|died in=passed away in|died on=passed away on|died=passed away|"
        "married=wed|the United States=the U.S.|the United States=America|United Kingdom=UK|"
        "in order to=to|as well as=and|consists of=is made up of|comprises=includes|"
        "because of=due to|due to=because of|primarily=mainly|mainly=mostly|however,=|"
        "subsequently=later|initially=at first|prior to=before|following=after|large=big|"
        "attended=studied at|purchased=bought|obtained=got|constructed=built|built=constructed|"
        "children=kids|physician=doctor|author=writer|wrote=authored|written by=authored by|"
        "created by=made by|was born in=came into the world in|was released in=came out in|"
        "was released on=came out on|portrayed by=played by|played by=portrayed by|"
        "portrays=plays|plays=portrays|stars=features|"
        "directed by=made by director|performed by=sung by|recorded by=sung by|"
        "the capital of=the capital city of|city=town|important=significant|"
        "used to=employed to|uses=makes use of|utilizes=uses|is used for=serves for|"
        "refers to=means|is called=is known as|is known as=is called|were killed=lost their lives|"
        "was killed=lost his life|serves as=acts as|served as=worked as|became=turned into|"
        "moved to=relocated to|returned to=went back to|created=made|announced=made public|"
        "people=persons|currently=now|at present=now|entire=whole|several=a number of|"
        "numerous=many|various=different|difficult=hard|famous=well-known|ended=finished|"
        "occurs=happens|occurred=took place|took place=happened|takes place=happens|"
        "was held=took place|consisted of=was made up of|contains=has in it|required=needed|"
        "requires=needs|assist=help|attempted=tried|permitted=allowed|allows=lets|"
        "responsible for=in charge of|second-largest=second largest|nearly=almost|almost=nearly"
    ).split("|")
)
"""Phrases and what may stand for them without changing what is said."""
