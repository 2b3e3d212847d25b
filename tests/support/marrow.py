"""Texts about a lighthouse, a bridge and a cheese, and a question that one of them answers."""

from veracite.index.memory import Text

TEXTS = (
    Text(
        "tower",
        "Marrow Tower is a lighthouse on the island of Brae. It was designed by Ada Lindqvist. "
        "The lighthouse was lit for the first time on 4 May 1871. It is 38 metres tall. "
        "Two keepers lived there until 1983. The lamp burned oil for forty years, was fed with gas "
        "for thirty more, and has been electric ever since the island got its own power station. "
        "Visitors may climb the stairs to the gallery on summer weekends.",
        "Marrow Tower",
    ),
    Text(
        "bridge",
        "Osk Bridge crosses the river Tarn. Construction of the bridge began in 1902 and cost "
        "90,000 crowns. Marrow Tower was lit for the first time on 4 May 1871.",
        "Osk Bridge",
    ),
    Text(
        "cheese",
        "Fennel cheese is made from the milk of goats. It ripens for six weeks in a cool cellar.",
        "Fennel cheese",
    ),
)
LIT = "When was Marrow Tower lit for the first time?"
ASTRAY = "What is the boiling point of mercury?"
