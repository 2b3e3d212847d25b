"""Every path that Veracite reads or writes of its own, in one place."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_NAME = "veracite"
_NAMED = """data libraries models evaluations conversations app overrides cache folders verdicts
verified crashes prompts config""".split()


@dataclass(frozen=True, slots=True)
class Paths:
    """Where things are kept.

    ``VERACITE_DATA_DIR``, ``VERACITE_CACHE_DIR`` and ``VERACITE_CONFIG`` (a file) override the
    platform's own places (on Linux the XDG directories).
    """

    data: Path
    """What cannot be made again: named libraries, imported models."""
    cache: Path
    """What can: indexes of folders named by ``--against``, remembered verdicts."""
    config: Path
    """The settings file, TOML; it need not exist."""

    @classmethod
    def resolve(cls, environ: Mapping[str, str] = os.environ) -> "Paths":
        """The paths that hold under this environment; creates nothing."""
        from platformdirs import PlatformDirs

        places = PlatformDirs(_NAME, appauthor=False)
        return cls(
            data=_absolute(environ.get("VERACITE_DATA_DIR") or places.user_data_dir),
            cache=_absolute(environ.get("VERACITE_CACHE_DIR") or places.user_cache_dir),
            config=_absolute(
                environ.get("VERACITE_CONFIG") or Path(places.user_config_dir) / "config.toml"
            ),
        )

    @property
    def libraries(self) -> Path:
        """One folder for each named library."""
        return self.data / "libraries"

    @property
    def models(self) -> Path:
        """Models that were imported or pulled; the bundled ones lie in the package."""
        return self.data / "models"

    @property
    def verified(self) -> Path:
        """What is known of GGUF files that have been loaded once: hashes, and that they load."""
        return self.cache / "verified"

    @property
    def prompts(self) -> Path:
        """A person's own prompts, in the place of ours of the same name."""
        return self.config.parent / "prompts"

    @property
    def evaluations(self) -> Path:
        """Runs of ``veracite eval``, one folder each."""
        return self.data / "evaluations"

    @property
    def conversations(self) -> Path:
        """What was asked and answered in the app, one file for each conversation."""
        return self.data / "conversations"

    @property
    def app(self) -> Path:
        """How the app was left, JSON."""
        return self.data / "app.json"

    @property
    def overrides(self) -> Path:
        """What a person said about verdicts in the app, JSON."""
        return self.data / "overrides.json"

    @property
    def folders(self) -> Path:
        """One folder for each set of sources that ``--against`` named by path."""
        return self.cache / "folders"

    @property
    def verdicts(self) -> Path:
        """The remembered verdicts, SQLite."""
        return self.cache / "verdicts.sqlite"

    @property
    def crashes(self) -> Path:
        """Details of failures that nobody foresaw, one text file each."""
        return self.cache / "crashes"

    def named(self) -> dict[str, Path]:
        """Every path by its name, in the order in which ``veracite locate`` prints them."""
        return {name: getattr(self, name) for name in _NAMED}


def private_folder(folder: Path) -> Path:
    """Create a folder, and what leads to it, that only its owner can enter; returns it.

    Raises:
        OSError: It cannot be created.
    """
    for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def generator_file(named: str | None, paths: Paths) -> str | None:
    """The absolute path of a language model's file, which need not exist if a path is named.

    Args:
        named: A path, or the name of a model of the store or of another application; None is the
            one that `veracite models use` chose, if any.
        paths: Where the store is.

    Raises:
        ModelError: There is no model of that name, or the chosen one is gone.
    """
    from veracite.models.store import Choices, Store

    if named is None:
        chosen = Choices(Store(paths.models)).path("generator")
        return None if chosen is None else str(chosen)
    path = os.path.abspath(os.path.expanduser(named))
    if os.sep in named or named.endswith(".gguf") or Path(path).exists():
        return path
    from veracite.models.store.catalogue import find_generator

    return str(find_generator(Store(paths.models), named))


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))
