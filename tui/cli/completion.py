"""``veracite completion``."""

import click
from click.shell_completion import get_completion_class

from veracite.tui import console
from veracite.tui.cli.root import COMPLETE_VARIABLE, PROGRAM, root


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  veracite completion bash > ~/.local/share/bash-completion/completions/veracite
    zsh:   veracite completion zsh > "${fpath[1]}/_veracite"
    fish:  veracite completion fish > ~/.config/fish/completions/veracite.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the three are click's own
    script = kind(root, {}, PROGRAM, COMPLETE_VARIABLE).source()
    console.write(script + "\n", data=True)
