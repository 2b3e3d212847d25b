"""The face: the command line and the terminal app. Nothing here decides anything."""
