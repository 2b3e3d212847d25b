"""The line near the top of a page that says with which models it was measured."""

from collections.abc import Sequence

STALE = "**Veracite's models or rules have changed since; measure this again.**"


def measured_with(models: Sequence[str], present: Sequence[str]) -> str:
    """Such as ``Measured with `encoder@1`, `verifier@2, judge-3`.``, marked where they are old.

    Args:
        models: The ids of all that was measured with, as ``Models.ids`` gives them.
        present: The ids of the models as they are now.
    """
    named = ", ".join(f"`{model}`" for model in dict.fromkeys(models)) or "nothing"
    line = f"Measured with {named}."
    return f"{line}\n" if set(models) <= set(present) else f"{line} {STALE}\n"
