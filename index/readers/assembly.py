"""Builds the raw text of formats that have none of their own, block after block."""

from veracite.index.documents import Block, BlockKind, Extraction


class Assembly:
    """Collects blocks; a blank line stands between any two."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0

    def add(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """Append a block; blank text is left out."""
        text = text.strip()
        if not text:
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self._blocks.append(Block(kind, start, self._length, level))

    def extraction(self, extractor: str, title: str | None) -> Extraction:
        """Everything that was added, as an extraction without pages."""
        title = " ".join(title.split()) if title else None
        return Extraction("".join(self._parts), tuple(self._blocks), extractor, title or None)
