"""What a finished evaluation consists of, whatever its task, and the same as JSON and back."""

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from veracite.engine.errors import InputError
from veracite.engine.evaluation.items import Task

SCHEMA = "veracite.evaluation/1"
_DIGITS = 6

CurveKind = Literal["roc", "precision-recall", "reliability", "speed"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number. ``low`` and ``high`` are its 95 % interval; None or nan is "n/a"."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    """How it is defined, or why there is none: printed under the table."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A method's lead over another on the same items."""

    other: str
    figure: str
    difference: float | None
    low: float | None = None
    high: float | None = None
    """The paired 95 % interval of the difference."""
    p_mcnemar: float | None = None


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What one method reached."""

    method: str
    figures: tuple[Figure, ...]
    n: int
    """Items that the figures are of."""
    problems: int = 0
    """Of these, the items without a prediction."""
    seconds_per_item: float | None = None
    threshold: float | None = None
    threshold_from: str | None = None
    """Such as "first half of the groups"; never the part that the figures are of."""
    compared: tuple[Comparison, ...] = ()
    trivial: bool = False
    """A baseline that understands nothing, such as word overlap: printed beside the methods."""

    def figure(self, name: str) -> Figure | None:
        """The figure of this name; None if the method has none."""
        return next((figure for figure in self.figures if figure.name == name), None)


@dataclass(frozen=True, slots=True)
class Curve:
    """Points that are plotted, in the order of the threshold.

    ``roc``: false positive rate, true positive rate. ``precision-recall``: recall, precision.
    ``reliability``: mean probability, share that is true, items in the bin. ``speed``:
    milliseconds per item, the value of the figure that ``summary`` names.
    """

    kind: CurveKind
    method: str
    points: tuple[tuple[float | None, ...], ...]
    summary: Figure | None = None
    """What the curve comes down to: its area, average precision, calibration error, accuracy."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that was evaluated on. ``name`` has no folders but those inside a folder given."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Part:
    """What a share of the groups was for."""

    use: str
    """``thresholds``, ``calibration`` or ``results``."""
    name: str
    """Such as "first half of the groups"."""
    groups: tuple[str, ...]
    items: int
    positives: float | None = None
    """Share of its items that are true, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Subset:
    """One of several sets in the data, and each method's main figure on it."""

    name: str
    items: int
    positives: float | None
    figures: Mapping[str, Figure]
    """By method."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An item that a method got wrong."""

    item: str
    method: str
    text: str
    expected: str
    """As the set writes it."""
    given: str
    score: float | None
    confidence: float
    """How sure the method was, 0 to 1: the mistakes are listed by it."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A figure that readers would look for and that is not computed."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """A finished evaluation."""

    task: Task
    format: str
    files: tuple[DataFile, ...]
    label_map: Mapping[str, bool]
    items: int
    positives: float | None
    """Share of all items that are true, 0 to 1; None where the task has no such thing."""
    methods: tuple[MethodResult, ...]
    """In the order in which they are printed."""
    parts: tuple[Part, ...] = ()
    curves: tuple[Curve, ...] = ()
    subsets: tuple[Subset, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    notes: tuple[str, ...] = ()
    unavailable: tuple[Unavailable, ...] = ()
    differences: tuple[str, ...] = ()
    """How figures are counted otherwise than by the papers' own scripts."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """From ``veracite.engine.evaluation.runs.record``."""

    @property
    def base_rate(self) -> float | None:
        """Share of true items among those that the figures are of."""
        own = [part.positives for part in self.parts if part.use == "results"]
        return own[0] if own else self.positives


def as_json(result: Result) -> dict[str, Any]:
    """The result as JSON values, schema ``veracite.evaluation/1``.

    The order of the keys is fixed, floats have six decimals, and what is not finite is null.
    """
    return {"schema": SCHEMA, **_encode(result)}


def from_json(value: Any) -> Result:
    """The result that ``as_json`` made these values of.

    Raises:
        InputError: They are no result, or one of another version.
    """
    try:
        if value["schema"] != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        decoded = _decode(Result, value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"This is no result of an evaluation: {error}.",
            "Give a file that `veracite eval --json` wrote.",
        ) from error
    assert isinstance(decoded, Result)
    return decoded


def _encode(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {
            str(key): _encode(item)
            for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))
        }
    if isinstance(value, tuple | list):
        return [_encode(item) for item in value]
    if isinstance(value, bool | numbers.Integral):
        return value if isinstance(value, bool) else int(value)
    if isinstance(value, numbers.Real):
        return round(float(value), _DIGITS) + 0.0 if math.isfinite(value) else None
    return value


def _decode(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _decode(hint, value[name]) for name, hint in hints.items()})  # type: ignore[operator]
    if origin is tuple:
        return tuple(_decode(inner[0], one) for one in value)
    if origin is Mapping:
        return {key: _decode(inner[1], one) for key, one in value.items()}
    if origin is UnionType:
        present = next(each for each in inner if each is not NoneType)
        return None if value is None else _decode(present, value)
    return float(value) if kind is float else value
