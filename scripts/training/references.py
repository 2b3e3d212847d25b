"""Twenty pairs whose logits a regression test compares."""

from __future__ import annotations

_CURIE = (
    "Marie Curie > Life: Marie Curie was born in Warsaw on 7 November 1867. In 1891 she followed "
    "her elder sister to Paris, where she studied at the Sorbonne. She shared the 1903 Nobel Prize "
    "in Physics with her husband Pierre Curie and Henri Becquerel."
)
_BRIDGE = (
    "The bridge was opened to traffic on 19 March 1932. It carries eight lanes of road and two "
    "railway tracks across the harbour, and about 160,000 vehicles use it every day."
)
_TEA = "Green tea is made from leaves that have not been withered or oxidised."
_JOINT = (
    "The company was founded in 1998 in Tampere. \u2026 Its founder, Aino Lahti, left the board in "
    "2011. \u2026 Revenue fell by 12 percent in 2015."
)

REFERENCES: tuple[tuple[str, str], ...] = (
    (_CURIE, "Marie Curie was born in Warsaw."),
    (_CURIE, "She was born on November 7, 1867."),
    (_CURIE, "Marie Curie was born in Warsaw in 1876."),
    (_CURIE, "Marie Curie was born in Vienna."),
    (_CURIE, "Marie Curie won a Nobel Prize in 1903 together with her husband."),
    (_CURIE, "Marie Curie did not study at the Sorbonne."),
    (_CURIE, "Marie Curie had two daughters."),
    (_CURIE, "She moved to Paris in the 1890s and studied there."),
    (_BRIDGE, "The bridge was opened in 1932."),
    (_BRIDGE, "The bridge has six lanes for cars."),
    (_BRIDGE, "The bridge was designed by John Bradfield."),
    (_BRIDGE, "More than 100,000 vehicles cross the bridge daily."),
    (_BRIDGE, "The bridge is closed to trains."),
    (_TEA, "The leaves used for green tea are not oxidised."),
    (_TEA, "Green tea is made from oxidised leaves."),
    (_TEA, "Green tea lowers blood pressure."),
    (_JOINT, "Aino Lahti founded the company, which is from Tampere."),
    (_JOINT, "The company's revenue rose in 2015."),
    (_JOINT, "The company was founded in Tampere in 1998 and its founder left the board in 2011."),
    (_JOINT, "The company was sold to a competitor in 2016."),
)
