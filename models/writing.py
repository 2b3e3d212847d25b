"""A text that grows token by token: whole characters, and nothing of a stop string."""

from codecs import getincrementaldecoder
from collections.abc import Sequence

from veracite.models.generation import Token

__all__ = ["Writing"]


class Writing:
    """The text so far.

    Args:
        stop: Strings of which the first to come ends the text and is not part of it.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = [string for string in stop if string]
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._shown = 0
        self.text = ""
        self.tokens: list[Token] = []
        self.stopped = False

    def add(self, piece: bytes, logprob: float) -> str:
        """Write a token; what of the text is certain to stay and was not shown before."""
        text = self._decoder.decode(piece)
        self.tokens.append(Token(text, logprob))
        self.text += text
        self._look_for_stop(len(self.text) - len(text))
        return self._show(len(self.text) if self.stopped else len(self.text) - self._held_back())

    def finish(self) -> str:
        """Write nothing more; what was not shown yet."""
        if not self.stopped:
            # Bytes of a character that was never finished.
            self.text += self._decoder.decode(b"", final=True)
        return self._show(len(self.text))

    def _show(self, end: int) -> str:
        shown, self._shown = self._shown, max(self._shown, end)
        return self.text[shown:end]

    def _look_for_stop(self, new: int) -> None:
        """Cut the text at a stop string that ends after ``new`` characters, and its tokens."""
        places = [
            place
            for string in self._stop
            if (place := self.text.find(string, max(0, new - len(string) + 1))) >= 0
        ]
        if not places:
            return
        self.stopped = True
        self.text = self.text[: min(places)]
        length = sum(len(token.text) for token in self.tokens)
        while self.tokens and length - len(self.tokens[-1].text) >= len(self.text):
            length -= len(self.tokens.pop().text)

    def _held_back(self) -> int:
        """How many of the last characters may be the beginning of a stop string."""
        return max(
            (
                length
                for string in self._stop
                for length in range(1, min(len(string), len(self.text) + 1))
                if self.text.endswith(string[:length])
            ),
            default=0,
        )
