"""Which sentences documents could confirm or refute at all.

Rules in plain tables, for precision: a sentence is set aside only if its form says clearly that it
states no fact. Reported speech ("Smith thinks that ..."), superlatives ("the largest") and hedged
findings ("X may cause Y") are statements of fact.
"""

import re

__all__ = ["as_statement", "is_fragment", "is_reference", "why_not_checkable"]

QUESTION = "a question"
OPINION = "an opinion"
INSTRUCTION = "an instruction"
INTENTION = "an intention"
GREETING = "a phrase of courtesy"
META = "about the text itself"
FRAGMENT = "a fragment without a statement"
LINK = "a link"


def _starts(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


# What may stand before the telling words: "And", "So,", "However,", an opening quotation mark.
_LEAD = re.compile(
    r"(?:(?:and|but|so|then|now|also|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|however"
    r"|overall|personally|honestly|still|therefore|thus|again|instead|in general|of course|to be honest"
    r"|in short|in conclusion|in summary|step \d+)\b[,:]?\s+|[\"'“‘(*\-–—•]+\s*)+",
    re.IGNORECASE,
)
_QUESTION_WORDS = _starts(
    r"(?:who|what|when|where|why|how|which|whose|whom)\b",
    r"(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)"
    r"(?:n['’]t)?\s",
)

_OPINION_STARTS = _starts(
    r"(?:i|we)(?: \w+ly)? (?:think|believe|feel|suspect|guess|suppose|doubt|prefer|hope|wish|love|hate"
    r"|like|enjoy|admire|recommend|suggest|consider|am (?:convinced|sure|certain|glad|happy|sorry|afraid"
    r"|excited|proud)|are (?:convinced|sure|certain|glad|happy|sorry|afraid|excited|proud|confident)"
    r"|(?:don['’]t|do not|cannot|can['’]t|could not) (?:think|believe|feel|help))\b",
    r"(?:i|we)['’](?:m|re) (?:convinced|sure|certain|glad|happy|sorry|afraid|excited|proud)\b",
    r"(?:in|from) (?:my|our)(?: \w+)? (?:view|opinion|mind|experience|eyes|judgement|judgment)\b",
    r"(?:in|from) my (?:point of view|perspective)\b",
    r"(?:my|our) (?:(?:personal|humble|own) )?(?:view|opinion|favou?rite|impression|guess|feeling)\b",
    r"as far as i(?:['’]m| am) concerned\b",
    r"it seems to me\b|to my mind\b|if you ask me\b|imho\b|imo\b",
    r"(?:un)?fortunately for (?:me|us)\b|hopefully,? (?:we|you|i|this|that|it)\b",
    r"it (?:is|['’]s) (?:worth|important|difficult|hard|tempting|fair|safe|easy|interesting|essential"
    r"|crucial|vital|necessary|reasonable|a pity|a shame|sad|clear|obvious)"
    r" (?:to (?:say|note|remember|mention|consider|understand|recognise|recognize|keep|argue|imagine"
    r"|tell|determine|know|believe|think|assume|see why)|noting|mentioning|remembering|saying"
    r"|pointing out)\b(?! that\b)",
    r"what a (?!\w+ (?:is|does|means))",
)
# "X is beautiful." and nothing more: praise or blame that no measure stands behind.
_JUDGEMENT = (
    r"(?:absolutely |really |very |so |quite |truly |simply |just |rather |pretty |incredibly )?"
    r"(?:beautiful|wonderful|amazing|awesome|awful|terrible|horrible|fantastic|great|lovely|fascinating"
    r"|boring|ugly|stunning|brilliant|delicious|disgusting|breathtaking|magnificent|delightful"
    r"|disappointing|marvellous|superb|charming|inspiring|shameful|outrageous|ridiculous|nonsense"
    r"|overrated|underrated|a joy|a delight|a disgrace|a pleasure|a masterpiece|a shame)"
)
_OPINION_WHOLE = re.compile(
    rf"[^,.;:\d]{{1,60}} (?:is|are|was|were|looks?|sounds?|feels?) {_JUDGEMENT}"
    rf"(?: and {_JUDGEMENT})?[.!]*",
    re.IGNORECASE,
)
_OPINION_ANYWHERE = re.compile(
    r"\b(?:in my (?:humble )?(?:opinion|view)|in our opinion|purely speculative|matter of (?:taste|opinion)"
    r"|may seem like|could be argued|i would argue|we would argue|if you ask me)\b",
    re.IGNORECASE,
)

_INTENTION = _starts(
    r"(?:i|we)(?: will| shall|['’]ll|['’]d like to| would like to| want to| plan to| intend to| aim to"
    r"| hope to| wish to| am going to| are going to)\b",
    r"(?:i|we)['’](?:m|re) (?:going|planning|hoping|looking forward) to\b",
    r"(?:i|we) (?:look|am looking|are looking) forward to\b",
    r"my (?:goal|aim|plan|intention) (?:is|was) to\b",
    r"let(?:['’]s| us| me)\b",
)

_GREETING = _starts(
    r"(?:dear|hello|hi|hey|greetings|welcome)\b[^.!?]{0,40}[,!.]?$",
    r"(?:good (?:morning|afternoon|evening|day))\b[^.]{0,40}[,!.]?$",
    r"(?:(?:best|kind|warm|kindest|warmest)(?: \w+)? regards|regards|sincerely|yours (?:sincerely|faithfully"
    r"|truly)|best wishes|cheers|all the best|many thanks|thanks|thank you)\b[^.]{0,60}[,!.]?$",
    r"(?:thanks|thank you)(?: (?:so|very) much)? (?:for|in advance)\b",
    r"(?:sure|certainly|of course|absolutely|great|okay|ok|yes|no)[!,.]?$",
    r"(?:sure|certainly|of course|absolutely)[!,] (?:here|i|let|below)\b",
    r"i hope (?:this|that|you|it)\b",
    r"(?:please )?(?:feel free|do not hesitate|don['’]t hesitate) to\b",
    r"let me know\b",
    r"as an ai\b",
    r"i(?:['’]m| am) (?:sorry|an ai|just an ai)\b",
    r"happy (?:reading|to help|writing|coding|new year|birthday)\b",
)

_PARTS = r"(?:section|chapter|article|paper|essay|report|document|post|guide|tutorial|page|text|draft|book|thesis)"
_META = _starts(
    rf"(?:in|throughout) (?:this|the (?:following|next|present|previous|last)) {_PARTS},? (?:i|we|you)\b",
    rf"this {_PARTS} (?:will )?(?:describes?|explains?|discuss(?:es)?|presents?|covers?|introduces?|outlines?"
    r"|explores?|examines?|provides?|gives?|shows you|aims?|is (?:about|organi[sz]ed|structured|divided"
    r"|intended|meant)|looks? at|focus(?:es)? on|summari[sz]es?|reviews?)\b",
    rf"the (?:remainder|rest) of (?:this|the) {_PARTS}\b",
    r"(?:as|see) (?:mentioned|described|discussed|noted|shown|explained|stated) (?:above|below|earlier"
    r"|before|previously)[.!]?$",
    r"(?:here (?:is|are)|here['’]s|below (?:is|are)|the following (?:is|are)) (?:a|an|the|some|my|our|your)"
    r"\b[^.]{0,80}:$",
    r"(?:to do|todo|tbd|fixme)\b",
    r"\(?(?:see|cf\.|compare) (?:also |the )?(?:section|chapter|figure|fig\.|table|appendix|page|above|below"
    r"|note|footnote)\b",
)

# Verbs that open an instruction. Only those that no statement starts with: "Record sales ...",
# "Open source ..." and "Set theory ..." are subjects, so these need an object that tells.
_COMMANDS = _starts(
    r"please\b",
    r"(?:click|tap|press|type|press and hold|scroll|drag|double-click|right-click)(?: on| the| your| in|"
    r" here| to| ['\"“]|\s+[A-Z])",
    r"(?:remember|try|make sure|be sure|ensure|avoid|consider|note|notice|imagine|suppose|recall|assume|keep"
    r" in mind|bear in mind|take care|take a look|be careful|be aware|don['’]t|do not|never forget)"
    r"(?=[ ,:]|$)(?! (?:and|or) | \w+ (?:is|are|was|were|has|have)\b)",
    r"(?:open|close|add|remove|delete|choose|select|enter|install|run|download|upload|copy|paste|save|insert"
    r"|use|check|visit|go to|turn|set|put|place|pour|mix|stir|bake|cook|preheat|boil|cut|slice|chop|heat"
    r"|write|read|create|replace|change|move|follow|fill|sign|log in|contact|call|ask|tell|send|email"
    r"|submit|apply|attach|configure|define|update|restart|start|stop|switch|look|listen|watch|wait|repeat"
    r"|find|get|give|bring|learn|discover|explore|subscribe|join|share|buy|order|call|book|register|verify"
    r"|review|refer|contact|describe|explain|list|compare|discuss|summari[sz]e|translate|rewrite|identify"
    r"|determine|calculate|compute|provide|specify|include|show|see|keep|hold|take|leave|let|build|clone"
    r"|edit|search|browse) (?:the|a|an|your|this|that|these|those|it|them|all|any|each|every|some|up|out|in"
    r"|on|off|for|at|with|to|and|as|by|here|more|me|us|about|from|until|yourself|both|one|two)\b"
    r"(?! [\w-]+(?: [\w-]+)?(?: [\w-]+)? (?:is|are|was|were|has|have|had)\b)",
    r"(?:you|readers|users) (?:should|must|need to|can|may want to|might want to|have to)\b",
    r"(?:if|when|once|before|after|to) (?:you|[a-z]+)[^.;]{2,80}, (?:please|click|tap|press|open|run|use|type|"
    r"select|choose|enter|install|make sure|go to|follow|contact|try|check|see)\b",
)

_URL = re.compile(r"(?:https?://|www\.)\S+")
_YEAR = re.compile(r"\(?\b(?:1[5-9]|20)\d\d[a-z]?\b\)?")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")

# Finite verbs that need no ending to be recognised.
_VERBS = frozenset(
    """is are was were am be been has have had do does did will would can could shall should may might
    must isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't
    couldn't cannot it's he's she's that's there's they're we're i'm you're i've we've they've
    became become becomes began begin begins came come comes gave give gives got get gets went go goes
    grew grow grows held hold holds kept keep keeps knew know knows led lead leads left leave leaves
    lost lose loses made make makes meant mean means met meet meets paid pay pays put puts ran run runs
    rose rise rises fell fall falls said say says saw see sees sent send sends set sets sold sell sells
    sang sing sings shot shoots spent spend spends spoke speak speaks stood stand stands
    swam swims took take takes taught teach teaches told tell tells thought think thinks won win wins
    wrote write writes wore wear wears brought bring brings built build builds bought buy buys caught
    chose choose chooses cut cuts died dies drew draws drove drives ate eats felt feel feels fought
    fights flew flies found find finds hit hits hurt let lies lay lived lives live beat beats broke
    breaks cost costs let read reads sat sits slept spread spreads struck threw understood woke
    need needs seem seems remain remains contain contains include includes consist consists cause
    causes provide provides show shows suggest suggests use uses work works play plays help helps
    produce produces occur occurs exist exists require requires allow allows belong belongs depend
    depends want wants differ differs""".split()
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
