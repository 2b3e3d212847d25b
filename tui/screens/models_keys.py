"""The keys of the Models room; each can be given another one by its id."""

from textual.binding import Binding

from veracite.tui.screens.help_key import HELP

__all__ = ["MODELS_KEYS"]

MODELS_KEYS = [
    HELP,
    Binding(
        "escape",
        "stop",
        "Stop",
        show=False,
        tooltip="stop what is being done; a download goes on later where it stopped",
        id="models.stop",
    ),
    Binding("u", "use", "Use", tooltip="use the model, or no longer use it", id="models.use"),
    Binding("p", "pull", "Download", tooltip="download the model", id="models.pull"),
    Binding(
        "a",
        "pull_other",
        "Another",
        tooltip="download any other model of the hub by its name",
        id="models.pull-other",
    ),
    Binding(
        "i",
        "bring",
        "Import",
        tooltip="import a GGUF file, an encoder's folder or a bundle; no network is needed",
        id="models.import",
    ),
    Binding(
        "e",
        "export",
        "Export",
        tooltip="write the model into a bundle for another machine",
        id="models.export",
    ),
    Binding(
        "v",
        "verify",
        "Verify",
        tooltip="compare the model's files with the hashes that are known",
        id="models.verify",
    ),
    Binding("d", "remove", "Remove", tooltip="remove the model", id="models.remove"),
    Binding("delete", "remove", "Remove", show=False),
    Binding(
        "f5",
        "refresh_list",
        "Refresh",
        show=False,
        tooltip="look again what there is",
        id="models.refresh",
    ),
    Binding(
        "less_than_sign",
        "grow(5)",
        "Larger details",
        show=False,
        tooltip="more room for the details; or drag the border",
        id="models.grow",
    ),
    Binding(
        "greater_than_sign",
        "grow(-5)",
        "Larger list",
        show=False,
        tooltip="more room for the list",
        id="models.shrink",
    ),
]
