"""``veracite models``: the models on this machine, and what language models are asked."""

import difflib
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.display import neutralise
from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli.models_bundle import export, import_
from veracite.tui.cli.models_list import list_, show
from veracite.tui.cli.models_manage import remove, use, verify
from veracite.tui.cli.models_pull import pull
from veracite.tui.cli.options import as_json
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError

if TYPE_CHECKING:
    from veracite.engine.skills.prompts import Prompt, Prompts

__all__ = ["models"]

_SCHEMA = "veracite.prompts/1"
_PACKAGE = "veracite.engine.skills.prompts"


@click.group
def models() -> None:
    """Models on this machine and on the hub, and what language models are asked."""


for command in (list_, pull, import_, export, show, use, verify, remove):
    models.add_command(command)


@models.command
@click.argument("name", required=False)
@as_json
@click.pass_obj
def prompts(session: Session, /, name: str | None, as_json: bool) -> None:
    """List the prompts, or print the file of the one called NAME.

    A file of yours takes the place of the prompt of the same name. To begin with:
    `veracite models prompts judge.veracite > PROMPTS/judge.veracite.toml`, where PROMPTS is the
    folder that `veracite locate` prints.
    """
    from veracite.engine.skills.prompts import Prompts

    known = Prompts.load(session.paths.prompts)
    chosen = known.all() if name is None else (_named(name, known),)
    if as_json:
        facts = {"schema": _SCHEMA, "prompts": [_facts(prompt) for prompt in chosen]}
        console.write(safe_json(facts, indent=2) + "\n", data=True)
    elif name is None:
        console.write(_table(chosen))
    else:
        console.write(_file(chosen[0]), data=True)


def _named(name: str, known: "Prompts") -> "Prompt":
    """By its name, or by its id as verdicts give it."""
    prompt = known.named.get(name.partition("/")[0])
    if prompt is None:
        near = difflib.get_close_matches(name, known.named, n=1, cutoff=0.5)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"There is no prompt named {name!r}.", f"{meant}`veracite models prompts` lists all."
        )
    return prompt


def _facts(prompt: "Prompt") -> dict[str, Any]:
    return {"id": prompt.id, **asdict(prompt)}


def _table(chosen: "tuple[Prompt, ...]") -> str:
    width = max(len(prompt.id) for prompt in chosen)
    rows = ((p.id, f"{p.source} ({p.file})" if p.file else p.source) for p in chosen)
    return "".join(f"{neutralise(f'{name:<{width}}  {told}')}\n" for name, told in rows)


def _file(prompt: "Prompt") -> str:
    """What its file holds: the user's own, or the one that ships with Veracite."""
    own = Path(prompt.file) if prompt.file else files(_PACKAGE).joinpath(f"{prompt.name}.toml")
    return own.read_text(encoding="utf-8")
