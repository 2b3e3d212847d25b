"""Units of measure: 50 cm is half a metre, and 12 km is not 12 miles."""

from veracite.engine.facts.quantities import Quantity

_UNITS = {
    name: (dimension, factor)
    for dimension, units in {
        "length": {
            1e-3: "mm millimetre millimeter", 1e-2: "cm centimetre centimeter",
            1.0: "m metre meter", 1e3: "km kilometre kilometer", 0.0254: "inch",
            0.3048: "ft foot feet", 0.9144: "yard", 1609.344: "mile",
        },
        "mass": {1e-3: "g gram", 1.0: "kg kilogram kilo", 1e3: "t ton tonne", 0.4536: "lb lbs"},
        "volume": {1e-3: "ml millilitre milliliter", 1.0: "l litre liter"},
        "time": {
            1.0: "s second sec", 60.0: "min minute", 3600.0: "h hour hr", 86400.0: "day",
            604800.0: "week",
        },
        "memory": {1.0: "mb megabyte", 1024.0: "gb gigabyte", 1048576.0: "tb terabyte"},
    }.items()
    for factor, names in units.items()
    for name in names.split()
}  # fmt: skip
_ROUNDING = 0.02
"""How far apart the same measure may be in two units, as a share."""


def is_unit(name: str | None) -> bool:
    """Whether a word is a unit that can be converted."""
    return name in _UNITS


def counts_and_measures(one: Quantity, other: Quantity) -> bool:
    """Whether one counts things, as "sixty members", and the other measures, as "60 °C"."""
    units = (one.unit, other.unit)
    if None in units or "degree" in units or not one.kind == other.kind == "number":
        return False
    return _measures(one) != _measures(other)


def _measures(quantity: Quantity) -> bool:
    return is_unit(quantity.unit) or quantity.unit == "°"


def same_measure(one: Quantity, other: Quantity, rounding: float = _ROUNDING) -> bool:
    """Whether two quantities of one dimension are the same, roughly where one is said roughly.

    Args:
        one: A quantity.
        other: Another, in any unit.
        rounding: How far apart they may be, as a share.
    """
    mine, theirs = _base(one), _base(other)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    room = rounding if one.hedge == other.hedge == "exactly" else 4 * rounding
    return abs(mine[1] - theirs[1]) <= room * max(mine[1], theirs[1])


def of_one_dimension(one: Quantity, other: Quantity) -> bool:
    """Whether both measure, say, a length."""
    mine = _base(one)
    theirs = None if mine is None else _base(other)
    return mine is not None and theirs is not None and mine[0] == theirs[0]


def _base(quantity: Quantity) -> tuple[str, float] | None:
    """The dimension, and the value in its base unit."""
    if quantity.kind != "number" or quantity.unit not in _UNITS:
        return None
    dimension, factor = _UNITS[quantity.unit]
    return dimension, quantity.value * factor
