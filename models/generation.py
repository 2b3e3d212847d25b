"""What a language model's work comes to: texts, choices and what they cost."""

from dataclasses import dataclass
from math import exp
from typing import Literal

__all__ = ["Choice", "Cost", "Generation", "Token"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call took; costs add up."""

    prefilled: int = 0
    """Tokens of the prompt, and of options, that were computed."""
    reused: int = 0
    """Tokens of the prompt that stood computed from an earlier call."""
    generated: int = 0
    """Tokens written, the one that ended the text included."""
    seconds: float = 0.0
    """Wall time, without waiting for other calls or for whoever reads a stream."""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.prefilled + other.prefilled,
            self.reused + other.reused,
            self.generated + other.generated,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a generated text.

    ``text`` is what it completes: empty for the first bytes of a character that the next token
    finishes. ``logprob`` is natural, and of the model's own distribution (temperature 1, before
    any grammar).
    """

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Generation:
    """A text that a model wrote."""

    text: str
    tokens: tuple[Token, ...]
    """The text's own: neither the token that ended it nor those of a stop string alone."""
    finish: Literal["end", "stop", "length"]
    """The model was done, a stop string came, or there was no more room."""
    cost: Cost

    @property
    def mean_logprob(self) -> float:
        """Of its tokens; 0 for an empty text."""
        return sum(token.logprob for token in self.tokens) / max(1, len(self.tokens))

    @property
    def mean_probability(self) -> float:
        """Of its tokens, by which REFEED's ensemble weighs answers; 1 for an empty text."""
        if not self.tokens:
            return 1.0
        return sum(exp(token.logprob) for token in self.tokens) / len(self.tokens)


@dataclass(frozen=True, slots=True)
class Choice:
    """How probable each option is as the whole reply."""

    probabilities: tuple[float, ...]
    """Of the options, in their order, summing to 1."""
    mass: float
    """What the model gave all options together, of everything it might have written."""
    cost: Cost
