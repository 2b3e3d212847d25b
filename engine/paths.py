"""Every path that Veracite reads or writes of its own, in one place."""

import os
from collections.abc import Mapping
from pathlib import Path

_NAME = "veracite"


class Paths:
    """Where things are kept.

    ``VERACITE_DATA_DIR``, ``VERACITE_CACHE_DIR`` and ``VERACITE_CONFIG`` (a file) override the
    platform's own places (on Linux the XDG directories).

    Args:
        data: What cannot be made again: named libraries, imported models.
        cache: What can: indexes of folders named by ``--against``, remembered verdicts.
        config: The settings file, TOML; it need not exist.
    """

    def __init__(self, data: Path, cache: Path, config: Path) -> None:
        self.data = data
        self.libraries = data / "libraries"
        """One folder for each named library."""
        self.models = data / "models"
        """Models that were imported or pulled; the bundled ones lie in the package."""
        self.evaluations = data / "evaluations"
        """Runs of ``veracite eval``, one folder each."""
        self.conversations = data / "conversations"
        """What was asked and answered in the app, one file for each conversation."""
        self.app = data / "app.json"
        """How the app was left, JSON."""
        self.unsaved = data / "unsaved"
        """Texts that were edited in the app when it was ended from outside, one file each."""
        self.overrides = data / "overrides.json"
        """What a person said about verdicts in the app, JSON."""
        self.cache = cache
        self.folders = cache / "folders"
        """One folder for each set of sources that ``--against`` named by path."""
        self.verdicts = cache / "verdicts.sqlite"
        """The remembered verdicts, SQLite."""
        self.verified = cache / "verified"
        """What is known of GGUF files that have been loaded once: hashes, and that they load."""
        self.crashes = cache / "crashes"
        """Details of failures that nobody foresaw, one text file each."""
        self.prompts = config.parent / "prompts"
        """A person's own prompts, in the place of ours of the same name."""
        self.config = config

    @classmethod
    def resolve(cls, environ: Mapping[str, str] = os.environ) -> "Paths":
        """The paths that hold under this environment; creates nothing."""
        from platformdirs import PlatformDirs

        places = PlatformDirs(_NAME, appauthor=False)
        config = environ.get("VERACITE_CONFIG") or Path(places.user_config_dir) / "config.toml"
        return cls(
            data=absolute(environ.get("VERACITE_DATA_DIR") or places.user_data_dir),
            cache=absolute(environ.get("VERACITE_CACHE_DIR") or places.user_cache_dir),
            config=absolute(config),
        )

    def named(self) -> dict[str, Path]:
        """Every path by its name, in the order in which ``veracite locate`` prints them."""
        return dict(vars(self))


def absolute(path: str | Path) -> Path:
    """Where a path that somebody wrote leads; nothing need be there."""
    return Path(os.path.abspath(os.path.expanduser(path)))


def for_owner(path: str, flags: int) -> int:
    """An ``opener`` for ``open``: a new file can be read by its owner only."""
    return os.open(path, flags, 0o600)


def generator_file(named: str | None, paths: Paths) -> str | None:
    """The absolute path of a language model's file, which need not exist if a path is named.

    Args:
        named: A path, or the name of a model of the store or of another application; None is the
            one that `veracite models use` chose, if any.
        paths: Where the store is.

    Raises:
        ModelError: There is no model of that name, or the chosen one is gone.
    """
    from veracite.models.store import Store

    if named is None:
        chosen = Store(paths.models).chosen_path("generator")
        return None if chosen is None else str(chosen)
    path = absolute(named)
    if os.sep in named or named.endswith(".gguf") or path.exists():
        return str(path)
    from veracite.models.store.catalogue import find_generator

    return str(find_generator(Store(paths.models), named))
