"""Times of day in words: "half past nine", "quarter to five", "noon", "six o'clock"."""

import re

from veracite.engine.facts.quantities import Quantity

_HOURS = {
    word: hour
    for hour, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
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
