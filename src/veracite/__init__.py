"""Checks what a text says against the documents on your own machine, claim by claim, offline.

``__all__``, which is that of ``veracite.engine.api``, is all that is promised to other programs
(docs/api.md); whatever else can be imported may move. Nothing is loaded before it is asked for.
"""

TYPE_CHECKING = False  # as type checkers understand it: importing typing takes too long
if TYPE_CHECKING:
    from veracite.engine.api import *  # noqa: F403
    from veracite.engine.api import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        if not name.startswith("_") or name in ("__all__", "__version__"):
            from veracite.engine import api

            if name in (*api.__all__, "__all__"):
                return getattr(api, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
