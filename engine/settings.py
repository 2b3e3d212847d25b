"""What a user can set, and from where: flag > environment > config file > default.

The environment names the settings of a check and of a question ``VERACITE_K``,
``VERACITE_FAIL_ON``, ``VERACITE_METHOD``, ...; for the file see ``veracite.engine.config_file``.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from veracite.engine.config_file import KEYS, SETTINGS, keys_of, read_tables
from veracite.engine.errors import SettingsError
from veracite.engine.paths import Paths, generator_file
from veracite.engine.setting_values import (
    file_name,
    meant,
    name_or_file,
    no_such,
    number,
    parse_labels,
    require_among,
    require_within,
    whole,
    word,
    yes_or_no,
)
from veracite.engine.types import Label

Retrieval = Literal["hybrid", "dense", "lexical"]
JudgedBy = Literal["bundled", "gguf", "cascade"]
"""The bundled verifier alone; a GGUF model for every claim; the verifier first and the model for
what it leaves uncertain."""
JudgeBy = Literal["choose", "reasoning"]
"""How a GGUF model judges: by the probabilities of the answers, or in words before it answers."""

DEFAULT_FAIL_ON = (Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN)

_PREFIX = "VERACITE_"
_OTHER_VARIABLES = ("DATA_DIR", "CACHE_DIR", "CONFIG", "DEBUG")
"""What the environment names besides settings."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What a check depends on besides text, documents and models.

    Raises:
        SettingsError: A value is out of range; the advice names the nearest valid one.
    """

    k: int | None = None
    """Passages a claim is judged on (CEG uses 4 to 6); None pools what is best by words and by
    meaning, and keeps the twelve passages that together have most of the claim."""
    threshold: float | None = None
    """Cosine similarity under which a passage is dropped, the first one never (CEG's t); None takes
    the value that belongs to the encoder."""
    retrieval: Retrieval = "hybrid"
    """Where evidence is looked for: by meaning (dense), by words (lexical), or both."""
    uncertain_below: float = 0.6
    """A verdict less probable than this is given as uncertain."""
    markdown: bool = True
    """Whether the text's Markdown markup is read as structure."""
    calibration: str | None = None
    """File of ``veracite eval calibrate`` that every verdict obeys; None takes verdicts as they
    come."""
    threads: int | None = None
    """Threads for the models; None takes the physical cores."""
    model: str | None = None
    """A GGUF file: a language model that judges and writes too."""
    judge: JudgedBy | None = None
    """Who judges; None is cascade with a model and bundled without."""
    judge_by: JudgeBy = "choose"
    joint: bool = False
    """Whether the model also judges by all passages of a claim together (CEG)."""
    screen: bool = True
    """Whether the model is spared the passages that the verifier finds to have no bearing."""
    gpu_layers: int | None = None
    """Layers of the model that go to the GPU; None takes all that fit."""
    context: int | None = None
    """Tokens of the model's context; None takes 8,192, or what the model was trained for if that
    is less."""

    def __post_init__(self) -> None:
        if self.k is not None:
            require_within("k", self.k, 1, 50)
        if self.threshold is not None:
            require_within("threshold", self.threshold, -1.0, 1.0)
        require_within("uncertain_below", self.uncertain_below, 0.0, 1.0)
        if self.threads is not None:
            require_within("threads", self.threads, 1, 256)
        if self.gpu_layers is not None:
            require_within("gpu_layers", self.gpu_layers, 0, 1000)
        if self.context is not None:
            require_within("context", self.context, 512, 1_048_576)
        require_among("retrieval", self.retrieval, get_args(Retrieval))
        require_among("judge_by", self.judge_by, get_args(JudgeBy))
        if self.judge is not None:
            require_among("judge", self.judge, get_args(JudgedBy))

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

    def as_mapping(self) -> dict[str, str | int | float | bool | None]:
        """Field names to values, for the report."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class AskSettings:
    """Who answers questions.

    Raises:
        SettingsError: There are no such skills; which methods there are, nobody asks here.
    """

    method: str | None = None
    skills: Literal["prompted", "extractive"] | None = None
    wording: str | None = None
    """Whose prompts a language model is given, such as "vtg"; None takes ours. Which there are, the
    user's own among them, nobody asks here."""

    def __post_init__(self) -> None:
        if self.skills is not None:
            require_among("skills", self.skills, ("prompted", "extractive"))


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that was set, from wherever."""

    check: CheckSettings = field(default_factory=CheckSettings)
    fail_on: tuple[Label, ...] = DEFAULT_FAIL_ON
    """The labels that make ``veracite check`` exit with 1."""
    ask: AskSettings = field(default_factory=AskSettings)
    methods: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The config file's tables of methods, as they were written."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of the app by the name of what they do, the config file's table ``[keys]``; which names
    there are, nobody asks here."""


def load(
    paths: Paths,
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """Merge flags, environment, config file and defaults, in this order.

    Args:
        flags: Settings by name as the command line gave them; None values were not given.

    Raises:
        SettingsError: The config file cannot be read, or a setting is unknown or its value wrong.
    """
    tables = read_tables(paths, required=bool(environ.get(f"{_PREFIX}CONFIG")))
    values = _of_table("check", tables, paths) | _of_table("ask", tables, paths)
    for name in _PARSERS:
        variable = f"{_PREFIX}{name.upper()}"
        if environ.get(variable):
            values[name] = _parse(name, environ[variable], f"The environment variable {variable}")
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _parse(name, value, _flag(name))
    asked: Any = {name: values.pop(name) for name in _TABLES["ask"] if name in values}
    fail_on: Any = values.pop("fail_on", DEFAULT_FAIL_ON)
    named: Any = values.pop("model", None)
    known: Any = values
    check = CheckSettings(**known, model=generator_file(named, paths))
    _ = check.judged_by  # settings that go with each other
    methods = {name: table for name, table in tables.items() if name not in (*SETTINGS, KEYS)}
    return Config(check, fail_on, AskSettings(**asked), methods, keys_of(tables, paths))


def unknown_variables(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """A sentence for each variable that looks like one of Veracite's and is none."""
    known = [f"{_PREFIX}{name}" for name in (*map(str.upper, _PARSERS), *_OTHER_VARIABLES)]
    unknown = sorted(n for n in environ if n.startswith(_PREFIX) and n not in known)
    return tuple(
        f"The environment variable {name} means nothing to Veracite. {meant(name, known)}".strip()
        for name in unknown
    )


def _flag(name: str) -> str:
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def _of_table(
    table: str, tables: Mapping[str, Mapping[str, object]], paths: Paths
) -> dict[str, object]:
    found = {}
    for name, value in tables.get(table, {}).items():
        if name not in _TABLES[table]:
            raise no_such(f"setting in {paths.config}", name, _TABLES[table])
        found[name] = _parse(name, value, f"The setting {name} in {paths.config}")
    return found


def _parse(name: str, value: object, where: str) -> object:
    try:
        parsed: Any = _PARSERS[name](value)
        if name in _TABLES["ask"]:
            AskSettings(**{name: parsed})
        elif name != "fail_on":
            CheckSettings(**{name: parsed})
    except ValueError as error:
        raise SettingsError(
            f"{where} is {value!r}.", f"Give {error} (the default is {_default(name)})."
        ) from error
    except SettingsError as error:
        raise SettingsError(_said_of(where, name, error.message), error.advice) from error
    return parsed


def _said_of(where: str, name: str, message: str) -> str:
    """What is wrong with a setting, said of the place where it was set."""
    if message.startswith(f"{name} is "):
        return f"{where}{message.removeprefix(name)}"
    return f"{where}: {message[0].lower()}{message[1:]}"


def _default(name: str) -> str:
    if name == "fail_on":
        return ", ".join(DEFAULT_FAIL_ON)
    known = (*fields(CheckSettings), *fields(AskSettings))
    value = next(f.default for f in known if f.name == name)
    return "chosen by Veracite" if value is None else str(value).lower()


_PARSERS: dict[str, Callable[[object], object]] = {
    "k": whole,
    "threshold": number,
    "retrieval": word,
    "uncertain_below": number,
    "markdown": yes_or_no,
    "calibration": file_name,
    "threads": whole,
    "model": name_or_file,
    "judge": word,
    "judge_by": word,
    "joint": yes_or_no,
    "screen": yes_or_no,
    "gpu_layers": whole,
    "context": whole,
    "fail_on": parse_labels,
    "method": word,
    "skills": word,
    "wording": str,
}

_ASK = tuple(f.name for f in fields(AskSettings))
_TABLES = {"check": tuple(name for name in _PARSERS if name not in _ASK), "ask": _ASK}
"""The settings of each table."""
