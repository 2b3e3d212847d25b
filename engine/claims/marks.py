"""The marks in a draft that point at its sources and say nothing themselves, as patterns."""

from veracite.index.markup import NUMBERED, NUMBERS, grammar

_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_AFTER_WORD = r"(?:(?<=[.,;:!?”’\"')\]])|(?<=[^\W\d_]{3}))"  # no power of a unit: "km²"
_EDITORIAL = (
    r"(?:citation|clarification|attribution|quotation|verification|page|year)s?[ ]needed"
    r"|when\?|who\?|which\?|where\?|by[ ]whom\?|according[ ]to[ ]whom\?|dubious[^\[\]]{0,20}"
    r"|better[ ]source[^\[\]]{0,20}|verify|(?:note|nb|n)[ ]\d{1,3}"
)
# Only forms that cannot be a fact of their own: "(Smith, 2020)" alone may be a place and its year.
_AUTHOR = r"(?:[A-Z][\w'’.-]*,?[ ]?(?:and|&|et[ ]al\.?)?,?[ ]?){1,6}"
_AUTHOR_YEAR = rf"{_AUTHOR},?[ ](?:19|20)\d\d[a-z]?(?:,[ ]?pp?\.[ ]?\d+(?:[–-]\d+)?)?"
_PARENTHESES = (
    r"\((?=[^()\n]{4,200}\))(?=[^()]*(?:et[ ]al|&|,[ ]pp?\.[ ]?\d|;[ ]?[A-Z]))"
    rf"(?:see[ ]|e\.g\.,?[ ]|cf\.[ ])?{_AUTHOR_YEAR}(?:;[ ]?{_AUTHOR_YEAR}){{0,9}}\)"
)
_CITATION = rf"""
    {NUMBERED}
  | \[\[{NUMBERS}\]\]
  | \[\^[^\[\]\s]{{1,60}}\]
  | \[(?:{_EDITORIAL})\]
  | (?<=[^\s\[(_*])\[[a-z]\](?:\([^()\s]{{0,500}}\)|(?!\())
  | \[(?:see[ ])?-?@[^\[\]\n]{{1,200}}\]
  | 【[^【】\n]{{1,80}}】
  | \\cite[a-z]{{0,6}}(?:\[[^\[\]\n]{{0,80}}\])?\{{[^{{}}\n]{{1,200}}\}}
  | {_AFTER_WORD}[{_SUPERSCRIPT}]+(?:[⁻˒,–][{_SUPERSCRIPT}]+)*(?!\w)
  | (?:{_AFTER_WORD}<sup>|<sup>(?=\s?[<\[]))
      \s?(?:<a[^<>]{{0,500}}>)?\s?\[?{NUMBERS}\]?\s?(?:</a>)?\s?</sup>
  | {_PARENTHESES}
"""
_ADDRESS = r"\(\s?<?(?:https?://|www\.)[^\s<>()\[\]\"`|]{1,2000}>?\s?\)"
# Code for a browser. No script within a script: every opening tag is looked at once.
_SCRIPT = (
    r"(?i:<(?:script|style)\b[^<>]{0,1000}>(?s:(?!<(?:script|style)\b).){0,10000}?"
    r"</(?:script|style)\s?>)"
)
MARKDOWN_DRAFT = grammar(rf"{_CITATION} | {_ADDRESS} | {_SCRIPT} | \A\[[ xX]\][ ]+")
"""Markdown, citation marks, addresses in brackets, and the box of a task."""
PLAIN_DRAFT = grammar(_CITATION, markdown=False)
"""Citation marks alone."""
