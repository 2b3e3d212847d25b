"""Grammars (GBNF) for structured replies: all bounded, none that a limit of tokens could break.

A reply that ends early, at any token, still parses: lists of numbers have room for their last one
(``most_characters``), and a line cut short is a line.
"""

MOST_REPETITIONS = 800
"""A grammar gets slow with many."""

_LEAD = r"[$£€#(\"'+-]"
_START = r"[^\x00-/:-@\[-`{-\u00bf\u2000-\u303f]"
"""A letter or digit, or at least no punctuation: a line that says nothing cannot be written."""
_REST = r"[^\x00-\x1f\x7f-\u009f\u2028\u2029]"


def line(characters: int, *, may_be_empty: bool = False) -> str:
    """One line of at most so many characters."""
    return f"root ::= line{'?' if may_be_empty else ''}\n{_line(characters)}"


def lines(most: int, characters: int) -> str:
    """One to ``most`` lines of at most so many characters each."""
    more = f' ("\\n" line){{0,{most - 1}}}' if most > 1 else ""
    return f"root ::= line{more}\n{_line(characters)}"


def numbers(highest: int, most: int) -> str:
    """One to ``most`` numbers from 1 to ``highest``, with a space between them: "2 6 8"."""
    more = f' (" " number){{0,{most - 1}}}' if most > 1 else ""
    return f"root ::= number{more}\n{_number(highest)}"


def citations(highest: int, most: int) -> str:
    """One to ``most`` citations of the passages 1 to ``highest``: "[2][6]"."""
    return f'root ::= citation{{1,{most}}}\ncitation ::= "[" number "]"\n{_number(highest)}'


def most_characters(highest: int, most: int) -> int:
    """The length of the longest list of numbers or citations, and so of its tokens."""
    return most * (len(str(highest)) + 2)


def _line(characters: int) -> str:
    rest = min(characters, MOST_REPETITIONS) - 2
    return f"line ::= {_LEAD}? {_START} {_REST}{{0,{rest}}}\n"


def _number(highest: int) -> str:
    choices = " | ".join(f'"{number}"' for number in range(1, highest + 1))
    return f"number ::= {choices}\n"
