"""Who, what, where and which deed: words for invented passages."""

from __future__ import annotations

HEADS = (
    "committee council observatory museum library school hospital company institute parish "
    "harbour authority orchestra bakery brewery cooperative ministry embassy theatre college "
    "foundation railway newspaper laboratory mill shipyard monastery club society union bank "
    "regiment zoo gallery workshop publisher studio cathedral board agency farm hotel"
).split()
TOWNS = [
    "Penmouth", "Arvik", "Tolmer", "Harrowgate", "Velden", "Sorrel Bay", "Kestrel Hill", "Lindow",
    "Marsk", "Oakhaven", "Trevane", "Ostby", "Calder Point", "Brundale", "Riverton", "Elmsworth",
    "Fairlea", "Northwick", "Lisbon", "Utrecht", "Bergen", "Ghent", "Turin", "Leeds", "Porto",
    "Graz", "Bremen", "Cork", "Dundee", "Valencia", "Tartu", "Lyon",
]  # fmt: skip
FIRST = (
    "Ana Boris Clara Daniel Edith Farid Greta Hugo Irene Jonas Karin Lionel Mira Nils Olga Peter "
    "Rosa Stefan Thea Ursula Viktor Wanda Yusuf Zoe Helen Marcus Ingrid Leo Priya Samuel Amara Otto"
).split()
LAST = (
    "Petrov Lindqvist Marlow Okafor Brandt Castell Dupont Eriksen Fontaine Galloway Hartmann "
    "Ibarra Jansen Kowalski Lahti Moreau Novak Ortega Pembroke Quist Rasmussen Sato Tanner Ueda "
    "Vance Whitlock Yilmaz Zeller Hargreaves Singh Mensah Costa"
).split()
OBJECTS = [
    "spectrograph", "telescope", "church organ", "ferry", "manuscript", "tapestry", "bronze bell",
    "station clock", "steam locomotive", "harbour crane", "printing press", "greenhouse", "piano",
    "marble sculpture", "sea chart", "lighthouse", "windmill", "turbine", "microscope", "carriage",
    "footbridge", "sailing boat", "copper dome", "portrait", "fountain", "spiral staircase",
    "barometer", "loom", "generator", "tractor", "altarpiece", "timber barn", "warehouse",
    "canal lock", "tram", "pavilion", "violin", "globe", "furnace", "pump", "statue", "mural",
    "bread oven", "sundial", "radio mast", "water wheel", "X-ray machine", "diary", "archive",
    "fire engine", "rowing boat", "chandelier", "cannon", "bicycle", "weather balloon", "beehive",
]  # fmt: skip
DEEDS = (
    "order repair design purchase sell praise criticise inspect demolish restore paint replace "
    "describe borrow steal reject deliver examine build photograph discuss donate insure survey "
    "rename photograph lease study"
).split()
"""Verbs of which none implies another one of the list."""
ANIMALS = (
    "otters ducks herons beetles moths voles foxes owls pike frogs bats geese lizards crabs "
    "mussels trout badgers wasps spiders falcons shrews newts eels"
).split()
CLASSES = (
    "mammals birds insects fish reptiles amphibians crustaceans predators rodents parasites "
    "scavengers pollinators"
).split()
ACTS = "hunt eat avoid imitate follow outnumber attract resemble threaten displace".split()
FILLERS = (
    "The weather that spring was unusually mild.",
    "Few records of those years survive.",
    "The local newspaper printed a short notice about it.",
    "The matter was settled after a long debate.",
    "Visitors can reach the site by bus.",
    "The costs were higher than anybody had foreseen.",
    "A small exhibition now tells the story.",
    "The minutes of the meeting are kept in the town hall.",
    "It took several attempts before everyone was satisfied.",
    "Two later accounts disagree about the details of the ceremony.",
    "The building next door burned down some years afterwards.",
)
