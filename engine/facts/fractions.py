"""Parts and dozens in words: "almost half of the boats", "half a metre", "two dozen people"."""

import re

from veracite.engine.facts.quantities import SCALES, Hedge, Quantity, unit_behind

_FRACTION = re.compile(
    r"\b(?:(?P<share>(?:a |one )?(?:half|third|quarter|fifth)|two thirds|three quarters)"
    r"(?=(?: of)? (?:the|its|their|his|her|all|our)\b)"
    r"|(?P<piece>half a|a quarter of a) (?P<scale>thousand|million|billion|trillion)\b"
    r"|(?P<part>half|a quarter of) (?=an? (?P<unit>\w+))"
    r"|(?P<count>(?:a|half a|two|three) dozen)(?= \w))",
    re.IGNORECASE,
)
_SHARES = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0}
_TWICE = {"two thirds": 200 / 3, "three quarters": 75.0}
_DOZENS = {"a dozen": 12.0, "half a dozen": 6.0, "two dozen": 24.0, "three dozen": 36.0}
_HEDGES: dict[str, Hedge] = {
    "about": "about",
    "around": "about",
    "roughly": "about",
    "almost": "below",
    "nearly": "below",
    "over": "above",
    "more than": "above",
}
_HEDGE = re.compile(rf"\b({'|'.join(_HEDGES)})\s+$", re.IGNORECASE)


def fractions(text: str) -> list[Quantity]:
    """The fractions and dozens of a text, in order: shares as per cent, the others as numbers."""
    found = []
    for match in _FRACTION.finditer(text):
        before = _HEDGE.search(text[: match.start()])
        hedge = _HEDGES[before[1].lower()] if before else "exactly"
        said = match.group().rstrip()
        place = (said, match.start(), match.start() + len(said))
        if count := match["count"]:
            found.append(Quantity(*place, "number", _DOZENS[count.lower()], hedge="about"))
        elif match["piece"]:
            value = 0.5 if match["piece"].lower() == "half a" else 0.25
            unit = unit_behind(text, place[2])
            value *= SCALES[match["scale"].lower()]
            found.append(Quantity(*place, "number", value, unit=unit, hedge=hedge))
        elif match["part"]:
            value = 0.5 if match["part"].lower() == "half" else 0.25
            found.append(Quantity(*place, "number", value, unit=match["unit"].lower()))
        else:
            share = match["share"].lower()
            value = _TWICE.get(share) or _SHARES[share.split()[-1]]
            found.append(Quantity(*place, "percent", value, hedge=hedge))
    return found
