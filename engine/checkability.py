"""Which sentences documents could confirm or refute at all.

Rules in plain tables, for precision: a sentence is set aside only if its form says clearly that it
states no fact. Reported speech ("Smith thinks that ..."), superlatives ("the largest") and hedged
findings ("X may cause Y") are statements of fact.
"""

import re

__all__ = ["as_statement", "introduces_facts", "is_fragment", "is_reference", "why_not_checkable"]

QUESTION = "a question"
OPINION = "an opinion"
INSTRUCTION = "an instruction"
INTENTION = "an intention"
GREETING = "a phrase of courtesy"
META = "about the text itself"
FRAGMENT = "a fragment without a statement"
LINK = "a link"


def _any_of(words: str) -> str:
    """A pattern for one of these words or patterns, separated by spaces, "_" for a space within."""
    return "(?:" + "|".join(word.replace("_", " ") for word in words.split()) + ")"


def _starts(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


# What may stand before the telling words: "And", "So,", "However,", an opening quotation mark.
_CONNECTIVE = _any_of(
    r"""and but so then now also next first(?:ly)? second(?:ly)? third(?:ly)? finally lastly however
    overall personally honestly still therefore thus again instead in_general of_course
    to_be_honest in_short in_conclusion in_summary step_\d+"""
)
_LEAD = re.compile(rf"(?:{_CONNECTIVE}\b[,:]? |[\"'“‘(*–—•-] ?){{1,4}}", re.IGNORECASE)
_QUESTION_WORDS = _starts(
    _any_of("who what when where why how which whose whom") + r"\b",
    _any_of(
        """is are was were am do does did have has had can could will would shall should may might
        must"""
    )
    + r"(?:n['’]t)? ",
)

_I = r"(?:i|we)(?: \w+ly)? "
_EMOTION = _any_of("convinced sure certain glad happy sorry afraid excited proud confident")
_OPINION_STARTS = _starts(
    _I
    + _any_of(
        """think believe feel suspect guess suppose doubt prefer hope wish love hate like enjoy
        admire recommend suggest consider"""
    )
    + r"\b",
    rf"(?:i am|i['’]m|we are|we['’]re) {_EMOTION}\b",
    _I + r"(?:don['’]t|do not|cannot|can['’]t) (?:think|believe|feel|help)\b",
    r"(?:in|from) (?:my|our)(?: \w+)? "
    + _any_of("view opinion mind experience eyes judge?ment point_of_view perspective")
    + r"\b",
    r"(?:my|our) (?:(?:personal|humble|own) )?"
    + _any_of("view opinion favou?rite impression guess feeling")
    + r"\b",
    r"as far as i(?:['’]m| am) concerned\b|it seems to me\b|to my mind\b|if you ask me\b|imh?o\b",
    r"(?:un)?fortunately for (?:me|us)\b|hopefully,? (?:we|you|i|this|that|it)\b",
    # "It is worth noting that" leads a fact in; without "that" the sentence is the remark itself.
    r"it (?:is|['’]s) "
    + _any_of("worth important difficult hard tempting fair safe easy a_pity a_shame sad")
    + r" (?:to "
    + _any_of("say consider keep argue imagine tell determine know believe think assume see_why")
    + r"|noting|mentioning|remembering|saying)\b(?!,? that\b)(?!.* that\b)",
    r"what an? (?!\w+ (?:is|does|means))",
)
# "X is beautiful." and nothing more: praise or blame that no measure stands behind.
_JUDGEMENT = (
    r"(?:(?:absolutely|really|very|so|quite|truly|simply|just|rather|pretty|incredibly) )?"
    + _any_of(
        """beautiful wonderful amazing awesome awful terrible horrible fantastic great lovely
        fascinating boring ugly stunning brilliant delicious disgusting breathtaking magnificent
        delightful disappointing marvellous superb charming inspiring shameful outrageous ridiculous
        nonsense overrated underrated a_joy a_delight a_disgrace a_pleasure a_masterpiece a_shame"""
    )
)
_OPINION_WHOLE = re.compile(
    rf"[^,.;:\d]{{1,60}} (?:is|are|was|were|looks?|sounds?|feels?) {_JUDGEMENT}"
    rf"(?: and {_JUDGEMENT})?[.!]*",
    re.IGNORECASE,
)
_OPINION_ANYWHERE = re.compile(
    r"\b(?:in my (?:humble )?(?:opinion|view)|in our opinion|(?:is|are) purely speculative"
    r"|(?:is|are) a matter of (?:taste|opinion)|may seem like|i would argue|we would argue)\b",
    re.IGNORECASE,
)

_INTENTION = _starts(
    r"(?:i|we)(?:['’]ll|['’]d like to| "
    + _any_of(
        """will shall would_like_to want_to plan_to intend_to aim_to hope_to wish_to am_going_to
        are_going_to look_forward_to am_looking_forward_to are_looking_forward_to"""
    )
    + r")(?= )",
    r"(?:i|we)['’](?:m|re) (?:going|planning|hoping|looking forward) to\b",
    r"my (?:goal|aim|plan|intention) (?:is|was) to\b",
    r"let(?:['’]s| us| me)\b",
)

_GREETING = _starts(
    r"(?:dear|hello|hi|hey|greetings|welcome)\b(?!.* (?:is|was)\b)[^.!?:]{0,40}[,!]?$",
    r"good (?:morning|afternoon|evening|day)\b[^.:]{0,40}[,!.]?$",
    r"(?:(?:best|kind|warm|kindest|warmest)(?: \w+)? )?regards\b[^.]{0,60}[,!.]?$",
    _any_of(
        """sincerely yours_sincerely yours_faithfully yours_truly best_wishes cheers all_the_best
        many_thanks thanks thank_you"""
    )
    + r"(?:[,!.]|$)[^.]{0,60}$",
    r"(?:thanks|thank you)(?: (?:so|very) much)? (?:for|in advance)\b",
    r"(?:sure|certainly|of course|absolutely|great|okay|ok|yes|no)[!,.]?$",
    r"(?:sure|certainly|of course|absolutely)[!,] (?:here|i|let|below)\b",
    r"i hope (?:this|that|you|it)\b|let me know\b|as an ai\b|i(?:['’]m| am) (?:sorry|an ai|just)\b",
    r"(?:please )?(?:feel free|do not hesitate|don['’]t hesitate) to\b",
)

_PARTS = _any_of(
    "section chapter article paper essay report document post guide tutorial page text draft book"
)
_META = _starts(
    rf"(?:in|throughout) (?:this|the (?:following|next|present|previous|last)) {_PARTS},?"
    r" (?:i|we|you)\b",
    rf"this {_PARTS} (?:will )?"
    + _any_of(
        """describes? explains? discuss(?:es)? presents? covers? introduces? outlines? explores?
        examines? shows_you aims? is_about is_organi[sz]ed is_structured is_divided is_intended
        looks?_at focus(?:es)?_on summari[sz]es?"""
    )
    + r"\b",
    rf"the (?:remainder|rest) of (?:this|the) {_PARTS}\b",
    r"(?:as|see) (?:mentioned|described|discussed|noted|shown|explained|stated)"
    r" (?:above|below|earlier|before|previously)[.!]?$",
    r"(?:here (?:is|are)|here['’]s|below (?:is|are)|the following (?:is|are))"
    r" (?:a|an|the|some|my|our|your)\b[^.]{0,80}:$",
    r"(?:to-?do|tbd|fixme)\b[ :]",
    r"\(?(?:see|cf\.|compare) (?:also |the )?"
    + _any_of("section chapter figure fig\\. table appendix page above below note footnote")
    + r"\b",
)

# Verbs that open an instruction. Many are also nouns ("Record sales ...", "Set theory ..."), so
# they need an object that tells, and no verb soon after it ("Use of the drug has ...").
_OBJECT = _any_of(
    """the a an your this that these those it them all any each every some up out
    yourself both me us here"""
)
_NO_VERB_SOON = r"(?!(?: [\w-]+){1,5} (?:is|are|was|were|has|have|had|will|can|may)\b)"
_COMMANDS = _starts(
    r"please,? (?-i:[a-z])",
    _any_of("click tap press type scroll drag double-click right-click")
    + r"(?: (?:on|the|your|here) | ['\"“])",
    _any_of("make_sure be_sure keep_in_mind bear_in_mind take_care be_careful do_not don['’]t")
    + r" (?-i:[a-z])",
    _any_of("never remember try avoid consider note ensure")
    + rf" (?-i:to|that|{_OBJECT})\b(?! [\w-]+ (?:is|was|has|had)\b)",
    _any_of(
        """open close add remove delete choose select enter install run download upload copy paste
        save insert use check visit turn set put place pour mix stir bake cook preheat boil cut
        slice chop heat write read create replace change move follow fill sign contact call ask
        tell send email submit apply attach configure update restart start stop switch listen watch
        repeat find get give bring subscribe join share buy order verify review describe explain
        compare discuss summari[sz]e translate rewrite identify calculate specify take leave build
        clone edit browse go_to log_in_to refer_to look_at wait_for"""
    )
    + rf" (?-i:{_OBJECT})\b"
    + _NO_VERB_SOON,
    r"(?:you|readers|users) (?:should|must|need to|may want to|might want to)\b",
    r"(?:if|when|once|before|after|to) [^.;,]{2,80}, (?:please|click|tap|press|make sure|go to)\b",
)

_URL = re.compile(r"(?:https?://|www\.)\S+")
_YEAR = re.compile(r"\(?\b(?:1[5-9]|20)\d\d[a-z]?\b\)?")
_PAGES = re.compile(r"\bpp?\. ?\d|\d+ ?\(\d+\)|\bvol\. ?\d|\b\d{1,4}[–-]\d{1,4}\b|\b[Ee]ds?\.")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")

# Finite verbs that need no ending to be recognised.
_VERBS = frozenset(
    """is are was were am be been has have had do does did will would can could shall should may
    might must isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't
    wouldn't can't couldn't cannot it's he's she's that's there's they're we're i'm you're
    i've we've they've became become becomes began begin begins came come comes gave give
    gives got get gets went go goes grew grow grows held hold holds kept keep keeps knew know
    knows led lead leads left leave leaves lost lose loses made make makes meant mean means
    met meet meets paid pay pays put puts ran run runs rose rise rises fell fall falls said
    say says saw see sees sent send sends set sets sold sell sells sang sing sings shot shoots
    spent spend spends spoke speak speaks stood stand stands swam swims took take takes taught
    teach teaches told tell tells thought think thinks won win wins wrote write writes wore
    wear wears brought bring brings built build builds bought buy buys caught chose choose
    chooses cut cuts died dies drew draws drove drives ate eats felt feel feels fought fights
    flew flies found find finds hit hits hurt let lies lay lived lives live beat beats broke
    breaks cost costs let read reads sat sits slept spread spreads struck threw understood
    woke need needs seem seems remain remains contain contains include includes consist
    consists cause causes provide provides show shows suggest suggests use uses work works
    play plays help helps produce produces occur occurs exist exists require requires allow
    allows belong belongs depend depends want wants differ differs""".split()
)  # fmt: skip
_PRONOUNS = frozenset("it he she they we i you this that these those there who".split())
_VERB_ENDING = re.compile(r"[a-z]{2,}(?:ed|ised|ized|ates|izes|ises|fies)$")


def why_not_checkable(sentence: str, *, links_only: bool = False) -> str | None:
    """Why a sentence states no fact that a document could confirm, in a few words; else None.

    Args:
        sentence: Cleaned, without markup.
        links_only: True if all its words stand in links.
    """
    core = sentence[match.end() :] if (match := _LEAD.match(sentence)) else sentence
    if not _WORD.search(_URL.sub("", sentence)):
        return LINK if _URL.search(sentence) else FRAGMENT
    if links_only and is_fragment(sentence):
        return LINK
    if _is_question(sentence, core):
        return QUESTION
    for pattern, reason in _BY_START:
        if pattern.match(sentence) or pattern.match(core):
            return reason
    if _OPINION_WHOLE.fullmatch(core) or _OPINION_ANYWHERE.search(sentence):
        return OPINION
    return None


_BY_START = (
    (_GREETING, GREETING),
    (_META, META),
    (_OPINION_STARTS, OPINION),
    (_INTENTION, INTENTION),
    (_COMMANDS, INSTRUCTION),
)


def _is_question(sentence: str, core: str) -> bool:
    """A sentence that asks; not one that quotes a question or has a title ending in "?"."""
    bare = sentence.rstrip(" \"'”’)*_")
    if not bare.endswith("?"):
        return False
    if bare == sentence.rstrip():
        return True
    # Ends in a closing quotation mark: a question only if it all stands in the quotation.
    return (
        sentence[:1] in "\"'“‘(" and sentence.count("?") >= 1 and bool(_QUESTION_WORDS.match(core))
    )


def is_fragment(text: str) -> bool:
    """True if a text is no sentence: no full stop, and no finite verb that the rules can see."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if text.rstrip("\"'”’)").endswith((".", "!", "?", "…")) and len(words) > 2:
        return False
    if len(words) > 14 or (len(words) > 1 and words[0] in _PRONOUNS):
        return False
    # A participle need not make a sentence, but it may: in doubt, it is checked.
    return not any(word in _VERBS or _VERB_ENDING.match(word) for word in words[1:])


def is_reference(text: str) -> bool:
    """True for an entry of a bibliography: several of its usual signs together."""
    signs = (
        bool(_URL.search(text) or re.search(r"\bdoi\b|\barXiv\b|\bISBN\b", text, re.IGNORECASE)),
        bool(_YEAR.search(text)),
        bool(re.search(r"\bet al\b|\b[A-Z][\w'’-]+, (?:[A-Z]\.[ -]?){1,3}", text)),
        bool(
            re.search(
                r"\bpp?\. ?\d|\d+ ?\(\d+\)|\bvol\. ?\d|\b\d{1,4}[–-]\d{1,4}\b|\b[Ee]ds?\.", text
            )
        ),
        bool(re.search(r"\b(?:Press|Journal|Proceedings|Proc\.|Retrieved|Accessed|Publish)", text)),
        bool(re.match(r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?, )+(?:[A-Z]\.|& )", text)),
    )
    return sum(signs) >= 3


def as_statement(item: str) -> bool:
    """True if a list item names a property and its value: "Founded: 1990"."""
    match = re.fullmatch(r"([^:.!?]{2,40}): (\S.*)", item)
    return (
        match is not None
        and any(map(str.isalnum, match.group(2)))
        and not _URL.match(match.group(2))
    )


def introduces_facts(lead_in: str) -> bool:
    """True if a sentence ending in ":" asserts something of each item of the list after it."""
    if is_fragment(lead_in) or why_not_checkable(lead_in) is not None:
        return False
    return re.match(r"to (?!date\b)|follow|steps?\b|how to\b", lead_in, re.IGNORECASE) is None
