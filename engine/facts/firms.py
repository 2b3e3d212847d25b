"""Firms that are called by a person's last name: "Varga & Sons" is not Agnes Varga."""

import re

from veracite.engine.facts.names import names

__all__ = ["names_a_firm_instead"]

_KINDS = "Sons|Daughters|Brothers|Bros|Partners|Associates|Company|Co|Limited|Ltd|Inc|GmbH|LLC|LLP"
_FIRM = rf" (?:(?:and )?(?:{_KINDS})\b|& [A-Z]\w+)"


def names_a_firm_instead(said: str, told: str) -> bool:
    """Whether a claim names somebody and a sentence only a firm of that last name."""
    for name in names(said, opening=True):
        parts = name.text.split()
        if len(parts) < 2 or not all(part[:1].isupper() for part in parts):
            continue
        last = re.escape(parts[-1])
        is_firm = re.search(rf"\b{last}{_FIRM}", said) is not None
        if not is_firm and re.search(rf"\b{last}{_FIRM}", told):
            rest = re.sub(rf"\b{last}{_FIRM}", "", told)
            if re.search(rf"\b{last}\b", rest) is None:
                return True
    return False
