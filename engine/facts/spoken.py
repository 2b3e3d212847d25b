"""Times, parts and dozens in words: "half past nine", "almost half of the boats", "two dozen"."""

import re

from veracite.engine.facts.quantities import ONES, SCALES, Quantity, hedge_of, unit_behind

_HOURS = {word: hour for word, hour in ONES.items() if 1 <= hour <= 12}
_HOUR = rf"(?:{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_TIME = re.compile(
    rf"\b(?:(?P<minutes>{'|'.join(_MINUTES)}) (?P<side>past|to) (?P<hour>{_HOUR})"
    rf"|(?P<sharp>{_HOUR})(?: o['’]clock|(?= in the (?:morning|afternoon|evening)))"
    r"|(?P<fixed>noon|midday|midnight))\b"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?| in the (?P<part>morning|afternoon|evening)\b)?",
    re.IGNORECASE,
)
_FIXED = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_FRACTION = re.compile(
    r"\b(?:(?:a |one )?(?P<share>(?:half|third|quarter|fifth)|two thirds|three quarters)"
    r"(?=(?: of)? (?:the|its|their|his|her|all|our)\b)"
    r"|(?P<piece>half a|a quarter of a) (?P<scale>thousand|million|billion|trillion)\b"
    r"|(?P<part>half|a quarter of) (?=an? (?P<unit>\w+))"
    r"|(?P<count>(?:a|half a|two|three) dozen)(?= \w))",
    re.IGNORECASE,
)
_SHARES = {
    "half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0, "two thirds": 200 / 3,
    "three quarters": 75.0,
}  # fmt: skip
_DOZENS = {"a dozen": 12.0, "half a dozen": 6.0, "two dozen": 24.0, "three dozen": 36.0}


def clock_times(text: str) -> list[Quantity]:
    """The times of a text that are told in words; before noon or after it where it does not say."""
    return [_time(match) for match in _TIME.finditer(text)]


def _time(match: re.Match[str]) -> Quantity:
    place = (match.group(), match.start(), match.end())
    if fixed := match["fixed"]:
        return Quantity(*place, "time", _FIXED[fixed.lower()])
    spoken = (match["hour"] or match["sharp"]).lower()
    hour = (_HOURS[spoken] if spoken in _HOURS else int(spoken)) % 12
    minutes = _MINUTES[match["minutes"].lower()] if match["minutes"] else 0
    minutes = -minutes if (match["side"] or "").lower() == "to" else minutes
    half = (match["half"] or match["part"] or "").lower()
    late = half in ("p", "afternoon", "evening")
    value = float((hour * 60 + minutes + (720 if late else 0)) % 1440)
    return Quantity(*place, "time", value, either=not half)


def fractions(text: str) -> list[Quantity]:
    """The fractions and dozens of a text, in order: shares as per cent, the others as numbers."""
    return [_fraction(text, match) for match in _FRACTION.finditer(text)]


def _fraction(text: str, match: re.Match[str]) -> Quantity:
    said = match.group().rstrip()
    place = (said, match.start(), match.start() + len(said))
    if count := match["count"]:
        return Quantity(*place, "number", _DOZENS[count.lower()], hedge="about")
    hedge = hedge_of(text, match.start())
    if share := match["share"]:
        return Quantity(*place, "percent", _SHARES[share.lower()], hedge=hedge)
    value = 0.5 if said.lower().startswith("half") else 0.25
    if match["part"]:
        return Quantity(*place, "number", value, unit=match["unit"].lower())
    value *= SCALES[match["scale"].lower()]
    return Quantity(*place, "number", value, unit=unit_behind(text, place[2]), hedge=hedge)
