"""A page of HTML that needs nothing else and runs nothing.

It has no script and forbids any; its one style sheet is allowed by its hash. Everything from the
text and the documents is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
from pathlib import Path
from typing import Any

from veracite.engine.display import neutralise

_HERE = Path(__file__).parent


def page(template: str, **values: Any) -> str:
    """A template of this folder as a page, with the style sheet in it.

    Args:
        template: Name of its file.
        values: What stands in it by name.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = neutralise
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    return environment.get_template(template).render(
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        **values,
    )
