"""The words that tell what kind of sentence one is, as plain tables.

Made for precision: a pattern that a statement of fact could match as well is not here.
"""

import re

from veracite.engine.wording.lists import any_of, one_of


def _starts(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(alternatives)})", re.IGNORECASE)


# What may stand before the telling words: "And", "So,", "However,", an opening quotation mark.
_CONNECTIVE = rf"(?:{one_of('connectives')}|step \d+)"
LEAD = re.compile(rf"(?:{_CONNECTIVE}\b[,:]? |[\"'“‘(*–—•-] ?){{1,4}}", re.IGNORECASE)
QUESTION_WORDS = _starts(one_of("questions") + r"\b", one_of("auxiliaries") + r"(?:n['’]t)? ")

_I = r"(?:i|we)(?: \w+ly)? "
_EMOTION = one_of("feelings")
OPINION_STARTS = _starts(
    _I + one_of("opinions") + r"\b",
    rf"(?:i am|i['’]m|we are|we['’]re) {_EMOTION}\b",
    _I + r"(?:don['’]t|do not|cannot|can['’]t) (?:think|believe|feel|help)\b",
    r"(?:in|from) (?:my|our)(?: \w+)? " + one_of("views") + r"\b",
    r"(?:my|our) (?:(?:personal|humble|own) )?" + one_of("own") + r"\b",
    r"as far as i(?:['’]m| am) concerned\b|it seems to me\b|to my mind\b|if you ask me\b|imh?o\b",
    r"(?:un)?fortunately for (?:me|us)\b|hopefully,? (?:we|you|i|this|that|it)\b",
    # "It is worth noting that" leads a fact in; without "that" the sentence is the remark itself.
    r"it (?:is|['’]s) "
    + one_of("worth")
    + r" (?:to "
    + one_of("worth doing")
    + r"|noting|mentioning|remembering|saying)\b(?!,? that\b)(?!.* that\b)",
    r"what an? (?!\w+ (?:is|does|means))",
)
# "X is beautiful." and nothing more: praise or blame that no measure stands behind.
_JUDGEMENT = (
    r"(?:(?:absolutely|really|very|so|quite|truly|simply|just|rather|pretty|incredibly) )?"
    + one_of("judgements")
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
_REPORTS = one_of("reports")
_GOOD = one_of("praise")
_CHOICE = one_of("praised")
OPINION_PRAISE = re.compile(
    rf"(?!.*(?:\d|\b{_REPORTS}\b)).*\b(?:"
    rf"(?:is|are) (?:{any_of('also often always generally really truly')} )?(?:an? |the )?{_GOOD}"
    rf" {_CHOICE}"
    r"|mak(?:es?|ing) it (?:very |much |so )?(?:easy|easier|simple|simpler) (?:to|for)"
    r"|in an? (?:\w+ly )?(?:appealing|engaging|meaningful|pleasing|fun|enjoyable) way)\b",
    re.IGNORECASE,
)

INTENTION_STARTS = _starts(
    r"(?:i|we)(?:['’]ll|['’]d like to| " + one_of("intentions") + r")(?= )",
    r"(?:i|we)['’](?:m|re) (?:going|planning|hoping|looking forward) to\b",
    r"my (?:goal|aim|plan|intention) (?:is|was) to\b",
    r"let(?:['’]s| us| me)\b",
)

GREETING_STARTS = _starts(
    r"(?:dear|hello|hi|hey|greetings|welcome)\b(?!.* (?:is|was)\b)[^.!?:]{0,40}[,!]?$",
    r"good (?:morning|afternoon|evening|day)\b[^.:]{0,40}[,!.]?$",
    r"(?:(?:best|kind|warm|kindest|warmest)(?: \w+)? )?regards\b[^.]{0,60}[,!.]?$",
    one_of("courtesies") + r"(?:[,!.]|$)[^.]{0,60}$",
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
_OWN_TEXT = one_of("own texts")
_PARTS = one_of("parts of texts")
META_STARTS = _starts(
    rf"(?:in|throughout) (?:this|the (?:following|next|present|previous|last)) {_PARTS},?"
    r" (?:i|we|you)\b",
    rf"this {_PARTS} (?:will )?" + one_of("texts tell") + r"\b",
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
_OBJECT = one_of("objects")
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
    one_of("commands") + rf" (?-i:{_OBJECT})\b" + _NO_VERB_SOON,
    r"(?:you|readers|users) (?:should|must|need to|may want to|might want to)\b",
    r"(?:if|when|once|before|after|to) [^.;,]{2,80}, (?:please|click|tap|press|make sure|go to)\b",
)
