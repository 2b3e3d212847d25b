"""The words that tell what kind of sentence one is, as plain tables.

Made for precision: a pattern that a statement of fact could match as well is not here.
"""

import re

from veracite.engine.wording.lists import any_of, listed


def _starts(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


# What may stand before the telling words: "And", "So,", "However,", an opening quotation mark.
_CONNECTIVE = any_of(
    r"""and but so then now also next first(?:ly)? second(?:ly)? third(?:ly)? finally lastly however
    overall personally honestly still therefore thus again instead in_general of_course
    to_be_honest in_short in_conclusion in_summary step_\d+ later afterwards? thereafter meanwhile
    today eventually moreover furthermore additionally subsequently since_then by_then initially
    originally currently instead sadly unfortunately similarly consequently"""
)
LEAD = re.compile(rf"(?:{_CONNECTIVE}\b[,:]? |[\"'“‘(*–—•-] ?){{1,4}}", re.IGNORECASE)
QUESTION_WORDS = _starts(
    any_of("who what when where why how which whose whom") + r"\b",
    any_of(
        """is are was were am do does did have has had can could will would shall should may might
        must"""
    )
    + r"(?:n['’]t)? ",
)

_I = r"(?:i|we)(?: \w+ly)? "
_EMOTION = any_of("convinced sure certain glad happy sorry afraid excited proud confident")
OPINION_STARTS = _starts(
    _I + any_of(listed("opinions")) + r"\b",
    rf"(?:i am|i['’]m|we are|we['’]re) {_EMOTION}\b",
    _I + r"(?:don['’]t|do not|cannot|can['’]t) (?:think|believe|feel|help)\b",
    r"(?:in|from) (?:my|our)(?: \w+)? "
    + any_of("view opinion mind experience eyes judge?ment point_of_view perspective")
    + r"\b",
    r"(?:my|our) (?:(?:personal|humble|own) )?"
    + any_of("view opinion favou?rite impression guess feeling")
    + r"\b",
    r"as far as i(?:['’]m| am) concerned\b|it seems to me\b|to my mind\b|if you ask me\b|imh?o\b",
    r"(?:un)?fortunately for (?:me|us)\b|hopefully,? (?:we|you|i|this|that|it)\b",
    # "It is worth noting that" leads a fact in; without "that" the sentence is the remark itself.
    r"it (?:is|['’]s) "
    + any_of("worth important difficult hard tempting fair safe easy a_pity a_shame sad")
    + r" (?:to "
    + any_of("say consider keep argue imagine tell determine know believe think assume see_why")
    + r"|noting|mentioning|remembering|saying)\b(?!,? that\b)(?!.* that\b)",
    r"what an? (?!\w+ (?:is|does|means))",
)
# "X is beautiful." and nothing more: praise or blame that no measure stands behind.
_JUDGEMENT = (
    r"(?:(?:absolutely|really|very|so|quite|truly|simply|just|rather|pretty|incredibly) )?"
    + any_of(listed("judgements"))
)
OPINION_WHOLE = re.compile(
    rf"[^,.;:\d]{{1,60}} (?:is|are|was|were|looks?|sounds?|feels?) {_JUDGEMENT}"
    rf"(?: and {_JUDGEMENT})?[.!]*",
    re.IGNORECASE,
)
OPINION_ANYWHERE = re.compile(
    r"\b(?:in my (?:humble )?(?:opinion|view)|in our opinion|(?:is|are) purely speculative"
    r"|(?:is|are) a matter of (?:taste|opinion)|may seem like|i would argue|we would argue)\b",
    re.IGNORECASE,
)
# Praise that no measure stands behind: "is a good option", "makes it easy to". Who reports praise
# states a fact, and a number or a year may be the measure.
_REPORTS = any_of(listed("reports"))
_GOOD = any_of("good great excellent ideal perfect better best bad poor wise smart solid sensible")
_CHOICE = any_of(
    "options? choices? ideas? ways? fits? tools? investments? solutions? starting_points?"
)
OPINION_PRAISE = re.compile(
    rf"(?!.*(?:\d|\b{_REPORTS}\b)).*\b(?:"
    rf"(?:is|are) (?:{any_of('also often always generally really truly')} )?(?:an? |the )?{_GOOD}"
    rf" {_CHOICE}"
    r"|mak(?:es?|ing) it (?:very |much |so )?(?:easy|easier|simple|simpler) (?:to|for)"
    r"|in an? (?:\w+ly )?(?:appealing|engaging|meaningful|pleasing|fun|enjoyable) way)\b",
    re.IGNORECASE,
)

INTENTION_STARTS = _starts(
    r"(?:i|we)(?:['’]ll|['’]d like to| "
    + any_of(
        """will shall would_like_to want_to plan_to intend_to aim_to hope_to wish_to am_going_to
        are_going_to look_forward_to am_looking_forward_to are_looking_forward_to"""
    )
    + r")(?= )",
    r"(?:i|we)['’](?:m|re) (?:going|planning|hoping|looking forward) to\b",
    r"my (?:goal|aim|plan|intention) (?:is|was) to\b",
    r"let(?:['’]s| us| me)\b",
)

GREETING_STARTS = _starts(
    r"(?:dear|hello|hi|hey|greetings|welcome)\b(?!.* (?:is|was)\b)[^.!?:]{0,40}[,!]?$",
    r"good (?:morning|afternoon|evening|day)\b[^.:]{0,40}[,!.]?$",
    r"(?:(?:best|kind|warm|kindest|warmest)(?: \w+)? )?regards\b[^.]{0,60}[,!.]?$",
    any_of(
        """sincerely yours_sincerely yours_faithfully yours_truly best_wishes cheers all_the_best
        many_thanks thanks thank_you"""
    )
    + r"(?:[,!.]|$)[^.]{0,60}$",
    r"(?:thanks|thank you)(?: (?:so|very) much)? (?:for|in advance)\b",
    r"(?:sure|certainly|of course|absolutely|great|okay|ok|yes|no|sure thing)[!,.]?[^\w]*$",
    r"(?:sure|certainly|of course|absolutely)[!,] (?:i['’](?:d|ll)|i (?:can|will|would)|let me)\b",
    r"(?:(?:that['’]s|what) an? )?(?:great|good|excellent) question[!.]?[^\w]*$",
    r"(?:i['’](?:m|d be) )?(?:always )?(?:happy|glad) to (?:help|assist)\b[^,;:\d]{0,40}$",
    r"if you (?:have|need|want|['’]d like|would like)\b[^.:\d]{0,80}, (?:please )?(?:just )?"
    r"(?:let me know|feel free|ask)\b",
    r"you['’]re (?:very )?welcome[!.]?[^\w]*$|hope (?:this|that|it) helps\b",
    r"i hope (?:this|that|you|it)\b|let me know\b|as an ai\b|i(?:['’]m| am) (?:sorry|an ai|just)\b",
    r"(?:please )?(?:feel free|do not hesitate|don['’]t hesitate) to\b",
)

# What a chatbot calls the text that it is about to give.
_OWN_TEXT = any_of(listed("own texts"))
_PARTS = any_of(
    "section chapter article paper essay report document post guide tutorial page text draft book"
)
META_STARTS = _starts(
    rf"(?:in|throughout) (?:this|the (?:following|next|present|previous|last)) {_PARTS},?"
    r" (?:i|we|you)\b",
    rf"this {_PARTS} (?:will )?"
    + any_of(
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
    # Nothing but the announcement: a number, a name or a clause after it may state something.
    r"(?:(?:sure|certainly|of course|absolutely)[!,.] )?"
    r"(?:(?:based on|according to|from|as) (?!.*\d)[\w' ’-]{3,50}, )?"
    r"(?:here (?:is|are)|here['’]s|below (?:is|are)|below you(?:['’]ll| will| can)? find)"
    rf" (?:an?|the|some|my|your) (?:[\w-]+ ){{0,3}}{_OWN_TEXT}(?-i:[a-z '’-]{{0,80}})[.!:]?[^\w]*$",
    r"(?:sure|certainly|of course|absolutely)[!,.] (?:here (?:is|are)|here['’]s|below)\b"
    r"[^:\d]{0,80}:$",
    r"i(?:['’]ve| have) (?:[a-z]+ ){1,3}your (?:documents?|files?|texts?|notes|draft)\b"
    r"[^:;,\d]{0,60}$",
    r"(?:in (?:summary|short|brief|conclusion)|to (?:sum up|summari[sz]e|conclude))\b"
    r"[^.!?\d]{0,120}:$",
    r"(?:to-?do|tbd|fixme)\b[ :]",
    r"\(?(?:see|cf\.|compare) (?:also |the )?"
    + any_of("section chapter figure fig\\. table appendix page above below note footnote")
    + r"\b",
)

# Verbs that open an instruction. Many are also nouns ("Record sales ...", "Set theory ..."), so
# they need an object that tells, and no verb soon after it ("Use of the drug has ...").
_OBJECT = any_of(
    """the a an your this that these those it them all any each every some up out
    yourself both me us here"""
)
_NO_VERB_SOON = r"(?!(?: [\w-]+){1,5} (?:is|are|was|were|has|have|had|will|can|may)\b)"
# "Please note that it rains" states that it rains.
_NO_NOTE = r"(?!(?:please,? )?(?:note|remember|be aware|(?:keep|bear) in mind)(?: also)? that\b)"
COMMAND_STARTS = _starts(
    _NO_NOTE + r"please,? (?-i:[a-z])",
    any_of("click tap press type scroll drag double-click right-click")
    + r"(?: (?:on|the|your|here) | ['\"“])",
    _NO_NOTE
    + any_of("make_sure be_sure keep_in_mind bear_in_mind take_care be_careful do_not don['’]t")
    + r" (?-i:[a-z])",
    _NO_NOTE
    + any_of("never remember try avoid consider note ensure")
    + rf" (?-i:to|that|{_OBJECT})\b(?! [\w-]+ (?:is|was|has|had)\b)",
    any_of(listed("commands")) + rf" (?-i:{_OBJECT})\b" + _NO_VERB_SOON,
    r"(?:you|readers|users) (?:should|must|need to|may want to|might want to)\b",
    r"(?:if|when|once|before|after|to) [^.;,]{2,80}, (?:please|click|tap|press|make sure|go to)\b",
)
