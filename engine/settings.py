"""What a user can set, and from where: flag > environment > config file > default.

Each setting is declared once, as a field of a frozen dataclass::

    @dataclass(frozen=True, slots=True)
    class CegSettings:
        k: int = setting(6, "Passages per claim (CEG, section 4.1).", within=(1, 50))

A field is an int, a float, a bool, a str or a Literal of words, or one of these or None. From this
come the flags and variables, such as ``--fail-on`` and ``VERACITE_FAIL_ON``, the tables of the
config file, what ``--set`` takes, and the tables of the documentation. The config file is TOML with
a table for checks, one for questions, one for each method and one for the app's keys::

    [check]
    k = 6
    fail_on = ["contradicted", "not_found"]

    [ask]
    method = "vtg"

    [vtg]
    k = 3

    [keys]
    "check.next" = "ctrl+g"

A config file that ``VERACITE_CONFIG`` names must exist; the usual one need not.
"""

import difflib
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from veracite.engine.errors import SettingsError
from veracite.engine.paths import Paths, absolute, generator_file
from veracite.engine.types import Label

T = TypeVar("T")
Value = str | int | float | bool | None
Retrieval = Literal["hybrid", "dense", "lexical"]
JudgedBy = Literal["bundled", "gguf", "cascade"]
"""The bundled verifier alone; a GGUF model for every claim; the verifier first and the model for
what it leaves uncertain."""
JudgeBy = Literal["choose", "reasoning"]
"""How a GGUF model judges: by the probabilities of the answers, or in words before it answers."""

METHOD_NAMES = ("ceg", "refeed", "llatrieval", "vtg", "closed-book", "retrieve-read")
"""The names of the methods, which are known before any method is imported."""
DEFAULT_FAIL_ON = (Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN)

_PREFIX = "VERACITE_"
_OTHER_VARIABLES = ("DATA_DIR", "CACHE_DIR", "CONFIG", "DEBUG", "TEST_MODEL")
"""What the environment names besides settings; the last one is read by the tests alone."""
_KEYS = "keys"
"""The config file's table of the app's keys."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, as it was declared."""

    name: str
    kind: type
    """int, float, bool, str, or tuple for several labels or patterns."""
    words: tuple[str, ...]
    """The words that it takes; none if it takes others."""
    optional: bool
    """Whether it may be None."""
    default: Value | tuple[str, ...]
    about: str
    """What it is and where it comes from, for people."""
    within: tuple[float, float] | None = None
    """The least and the greatest valid number."""
    metavar: str | None = None
    """What the command line's help calls its value."""
    short: str | None = None
    """Another flag for it, such as ``-m``."""
    reader: Callable[[object], Any] | None = None
    """What makes the value of what was written, where the kind does not tell."""

    @property
    def flag(self) -> str:
        """On the command line."""
        return f"-{self.name}" if len(self.name) == 1 else f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """In the environment."""
        return f"{_PREFIX}{self.name.upper()}"

    @property
    def valid(self) -> str:
        """What it takes, in a few words."""
        if self.words:
            told = " or ".join(self.words)
        elif self.within:
            told = f"{self.within[0]} to {self.within[1]}"
        else:
            told = _TAKEN.get(self.kind) or str(self.metavar).lower()
        return f"{told}, or none" if self.optional else told

    def read(self, value: object, where: str) -> Any:
        """The value of what was written on the command line, in a file, in the environment.

        Args:
            value: What was written.
            where: What to call its place in an error.

        Raises:
            SettingsError: It cannot be a value; the advice names the nearest valid one.
        """
        try:
            found = self.reader(value) if self.reader else self._plain(value)
        except ValueError as error:
            raise SettingsError(
                f"{where} is {value!r}.", f"Give {error} (the default is {self.usual})."
            ) from error
        except SettingsError as error:
            told = f"{where}: {error.message[0].lower()}{error.message[1:]}"
            raise SettingsError(told, error.advice) from error
        if found is not None and self.words and found not in self.words:
            raise SettingsError(
                f"{where} is {found!r}, which is not one of its values.",
                _nearest(found, self.words),
            )
        if found is not None and self.within and not self.within[0] <= found <= self.within[1]:
            least, most = self.within
            raise SettingsError(
                f"{where} is {found}, which is not between {least} and {most}.",
                f"The nearest valid value is {most if found > most else least}.",
            )
        return found

    def _plain(self, value: object) -> Any:
        said = str(value).strip()
        if self.optional and said.lower() == "none":
            return None
        if self.kind is str:
            if not said or not isinstance(value, str):
                raise ValueError(_TAKEN[str])
            return said.lower() if self.words else said
        if isinstance(value, str):
            value = _YES_OR_NO.get(said.lower(), said) if self.kind is bool else said.lstrip("+")
        try:
            return msgspec.convert(value, self.kind, strict=False)
        except msgspec.ValidationError as error:
            raise ValueError(_TAKEN[self.kind]) from error

    @property
    def usual(self) -> str:
        """The default, for people."""
        if isinstance(self.default, tuple):
            return ", ".join(self.default) or "none"
        return "chosen by Veracite" if self.default is None else str(self.default).lower()


_TAKEN = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
}
"""What is given for a setting of each kind."""
_YES_OR_NO = {"yes": True, "on": True, "no": False, "off": False}


def setting(default: T, about: str, **details: Any) -> T:
    """Declares a field as a setting.

    Args:
        default: Its value where it is not set.
        about: What it is and where it comes from, for people.
        details: What else ``Setting`` tells of it.
    """
    return field(default=default, metadata={"about": about, **details})


def declared(kind: type[Any]) -> Mapping[str, Setting]:
    """The settings of a dataclass by name, those of a dataclass in it among them."""
    found: dict[str, Setting] = {}
    hints = get_type_hints(kind)
    for item in fields(kind):
        hint = hints[item.name]
        if is_dataclass(hint):
            found |= declared(cast("type[Any]", hint))
        elif "about" in item.metadata:
            parts = [part for part in get_args(hint) if part is not NoneType]
            optional = NoneType in get_args(hint)
            plain = parts[0] if optional else hint
            words = get_args(plain) if get_origin(plain) is Literal else ()
            found[item.name] = Setting(
                item.name,
                str if words else get_origin(plain) or plain,
                words,
                optional,
                cast("Value", item.default),
                **item.metadata,
            )
    return found


def with_values(settings: T, values: Mapping[str, object]) -> T:
    """Settings with some values as they were written: on the command line, in a file, as a preset.

    Raises:
        SettingsError: There is no such setting, or its value is wrong.
    """
    known = declared(type(settings))
    for name in values:
        if name not in known:
            raise no_such("setting of this method", name, known)
    return _replaced(settings, {n: known[n].read(value, n) for n, value in values.items()})


def _replaced(settings: T, values: Mapping[str, object]) -> T:
    of: Any = settings
    given: dict[str, Any] = {}
    for item in fields(of):
        value = getattr(of, item.name)
        inner = is_dataclass(value)
        given[item.name] = _replaced(value, values) if inner else values.get(item.name, value)
    return cast("T", replace(of, **given))


def parse_labels(value: object) -> tuple[Label, ...]:
    """Labels from a list or from words separated by commas; ``none`` names no label.

    Raises:
        SettingsError: A word is no label; the advice names the nearest one.
    """
    words = _several(value, "labels")
    names = [str(word).strip().lower().replace("-", "_").replace(" ", "_") for word in words]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in tuple(Label):
            raise no_such("label", name, [*Label, "none"])
    return tuple(label for label in Label if label in names)


def _several(value: object, what: str) -> list[str]:
    """What a list or a text holds, separated by commas.

    Raises:
        ValueError: It is neither.
    """
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, Iterable):
        raise ValueError(f"a list of {what}")
    return [word.strip() for part in parts for word in str(part).split(",") if word.strip()]


def _patterns(value: object) -> tuple[str, ...]:
    return tuple(_several(value, "patterns"))


def _file(value: object) -> str:
    """An absolute path; the file need not exist."""
    return str(absolute(str(value)))


def _preference(value: object) -> str:
    """``newest`` in any case, or a pattern."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("newest, or a pattern of files")
    return _word(value) if _word(value) == "newest" else value.strip()


def _word(value: object) -> str:
    return str(value).strip().lower()


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What a check depends on besides text, documents and models; None is Veracite's own choice."""

    k: int | None = setting(
        None,
        "Passages a claim is judged on [default: of the best by words and by meaning "
        "the 12 that have most of it, and 6 by what stands around it].",
        within=(1, 50),
        metavar="N",
    )
    threshold: float | None = setting(
        None, "Similarity under which a passage is dropped.", within=(-1.0, 1.0), metavar="T"
    )
    """Cosine; the first passage is never dropped (CEG's t). None takes the value that belongs to
    the encoder."""
    retrieval: Retrieval = setting(
        "hybrid",
        "How passages are searched: hybrid, dense (by meaning) or lexical (by words) "
        "[default: hybrid].",
        metavar="MODE",
    )
    uncertain_below: float = setting(
        0.5,
        "A verdict less probable than P is uncertain [default: 0.5].",
        within=(0.0, 1.0),
        metavar="P",
    )
    markdown: bool = setting(True, "Read the text's markup as structure.")
    calibration: str | None = setting(
        None, "Calibration that `veracite eval calibrate` made.", metavar="FILE", reader=_file
    )
    threads: int | None = setting(
        None, "Threads for the models [default: physical cores].", within=(1, 256), metavar="N"
    )
    model: str | None = setting(
        None, "A language model that judges too, and writes.", metavar="FILE.gguf"
    )
    judge: JudgedBy | None = setting(
        None,
        "Who judges: bundled, gguf (the model by itself, everything) or cascade (it has the say "
        "that its exam gave it, in what is uncertain) [default: cascade with a model].",
        metavar="WHO",
    )
    judge_by: JudgeBy = setting(
        "choose",
        "How the model judges: choose (its probabilities of the answers) or reasoning (it "
        "writes down why first; slow) [default: choose].",
        metavar="HOW",
    )
    joint: bool = setting(False, "Have the model judge by all passages together too.")
    screen: bool = setting(
        True,
        "Spare the model the passages that the verifier finds to have no bearing on a claim "
        "[default: screen].",
    )
    gpu_layers: int | None = setting(
        None,
        "Layers of the model on the GPU [default: all that fit].",
        within=(0, 1000),
        metavar="N",
    )
    context: int | None = setting(
        None, "Context of the model, in tokens.", within=(512, 1_048_576), metavar="N"
    )
    """None takes 8,192, or what the model was trained for if that is less."""
    include: tuple[str, ...] = setting(
        (),
        "Of the folders only files that these patterns fit, such as '*.pdf' (in the language of "
        ".gitignore, separated by commas; repeatable).",
        metavar="PATTERNS",
        reader=_patterns,
    )
    exclude: tuple[str, ...] = setting(
        (),
        "What is left out of the folders, such as 'drafts/,*.log' (likewise).",
        metavar="PATTERNS",
        reader=_patterns,
    )
    prefer: str | None = setting(
        None,
        "Where documents disagree, those decide that are newest, or that a pattern fits, such as "
        "'minutes/*.md'; the report names them [default: nobody; the claim stays uncertain].",
        metavar="newest|GLOB",
        reader=_preference,
    )
    reader_memory: int = setting(
        1024, "Memory that reading one file may take, in MB.", within=(256, 1_048_576), metavar="MB"
    )

    @property
    def judged_by(self) -> JudgedBy:
        """Who judges, as set or as the model has it.

        Raises:
            SettingsError: It needs a model and none is set, or has no use for a calibration.
        """
        chosen = self.judge or ("cascade" if self.model else "bundled")
        if chosen != "bundled" and self.model is None:
            raise SettingsError(
                f"judge is {chosen!r}, and no model is set.",
                "Name a GGUF file with --model FILE.gguf (or model in the config file), or "
                "choose bundled.",
            )
        if chosen != "bundled" and self.calibration is not None:
            raise SettingsError(
                "A calibration is set, which holds for the bundled verifier alone, and so is a "
                "GGUF model.",
                "Leave out the calibration, or use --judge bundled.",
            )
        return chosen


@dataclass(frozen=True, slots=True)
class AskSettings:
    """Who answers questions; which methods and wordings there are, nobody asks here."""

    method: str | None = setting(
        None,
        "Method, as --list-methods names it [default: the best one measured].",
        metavar="NAME",
        short="-m",
        reader=_word,
    )
    skills: Literal["prompted", "extractive"] | None = setting(
        None,
        "Who writes: prompted (the model of --model) or extractive (quotes alone) "
        "[default: prompted with a model].",
        metavar="WHO",
    )
    wording: str | None = setting(
        None,
        "Whose prompts a language model is given: those of a paper (ceg, refeed, llatrieval, vtg) "
        "or a name of your own [default: ours].",
        metavar="NAME",
    )


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that was set, from wherever."""

    check: CheckSettings = field(default_factory=CheckSettings)
    fail_on: tuple[Label, ...] = setting(
        DEFAULT_FAIL_ON,
        "Labels that make the exit code 1, separated by commas, or none "
        "[default: contradicted,not_found,uncertain].",
        metavar="LABELS",
        reader=parse_labels,
    )
    ask: AskSettings = field(default_factory=AskSettings)
    methods: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The config file's tables of methods, as they were written."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of the app by the name of what they do, the config file's table ``[keys]``; which names
    there are, nobody asks here."""


def tables() -> dict[str, Mapping[str, Setting]]:
    """The config file's tables of settings that have flags and variables too."""
    every = declared(Config)
    asked = declared(AskSettings)
    return {"check": {n: s for n, s in every.items() if n not in asked}, "ask": asked}


def load(
    paths: Paths, flags: Mapping[str, object] | None = None, environ: Mapping[str, str] = os.environ
) -> Config:
    """Merge flags, environment, config file and defaults, in this order.

    Args:
        paths: Where the config file is.
        flags: Settings by name as the command line gave them; None values were not given.
        environ: The environment.

    Raises:
        SettingsError: The config file cannot be read, or a setting is unknown or its value wrong.
    """
    file = _read_file(paths, required=bool(environ.get(f"{_PREFIX}CONFIG")))
    given: list[tuple[Setting, object, str]] = []
    for table, own in tables().items():
        for name, value in file.pop(table, {}).items():
            if name not in own:
                raise no_such(f"setting in {paths.config}", name, own)
            given.append((own[name], value, f"The setting {name} in {paths.config}"))
    known = declared(Config)
    for one in known.values():
        given.append(
            (one, environ.get(one.variable) or None, f"The environment variable {one.variable}")
        )
    for name, value in (flags or {}).items():
        if name not in known:
            raise no_such("setting", name, known)
        given.append((known[name], value, known[name].flag))
    values = {one.name: one.read(value, where) for one, value, where in given if value is not None}
    values["model"] = generator_file(values.get("model"), paths)
    keys = file.pop(_KEYS, {})
    for name, key in keys.items():
        if not isinstance(key, str) or not key:
            raise SettingsError(
                f"The key {name} in {paths.config} is {key!r}.",
                'Write it as a text, such as "f7" or "ctrl+g".',
            )
    config = _replaced(Config(methods=file, keys=keys), values)
    _ = config.check.judged_by  # settings that go with each other
    return config


def unknown_variables(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """A sentence for each variable that looks like one of Veracite's and is none."""
    known = [one.variable for one in declared(Config).values()]
    known += [f"{_PREFIX}{name}" for name in _OTHER_VARIABLES]
    unknown = sorted(n for n in environ if n.startswith(_PREFIX) and n not in known)
    return tuple(
        f"The environment variable {name} is not known to Veracite. {meant(name, known)}".strip()
        for name in unknown
    )


def no_such(kind: str, name: str, valid: Iterable[str]) -> SettingsError:
    """The error for a name that there is not; its advice is the nearest one."""
    return SettingsError(f"There is no {kind} named {name!r}.", _nearest(name, valid))


def meant(name: str, choices: Sequence[str]) -> str:
    """ "Did you mean ...? " with the choice nearest to a name; empty if none is near."""
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    return f"Did you mean {near[0]}? " if near else ""


def _nearest(name: str, valid: Iterable[str]) -> str:
    choices = [str(choice) for choice in valid]
    return f"{meant(name, choices)}Valid: {', '.join(choices)}."


def _read_file(paths: Paths, *, required: bool) -> dict[str, dict[str, Any]]:
    """The tables of the config file by name, empty if there is none."""
    from veracite.index.readers import whole

    try:
        file = tomllib.loads(whole(paths.config).decode("utf-8"))
    except FileNotFoundError as error:
        if not required:
            return {}
        raise SettingsError(
            f"There is no config file {paths.config}, which VERACITE_CONFIG names.",
            "Create it, or unset the variable to use the usual one.",
        ) from error
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The config file {paths.config} cannot be read ({error}).",
            "Correct or move it, or name another one with VERACITE_CONFIG.",
        ) from error
    known = (*tables(), _KEYS, *METHOD_NAMES, "fix")
    for name, table in file.items():
        if name not in known:
            raise no_such(f"table in {paths.config}", name, known)
        if not isinstance(table, dict):
            raise SettingsError(
                f"In {paths.config}, {name} is a value and not a table.",
                f"Write [{name}] on a line of its own and the settings below it.",
            )
    return file
