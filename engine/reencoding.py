"""Another encoder takes over a library while the work on it goes on.

The vectors of two encoders do not compare, so everything has to be encoded anew. Until that is done
search goes by the encoder before, whose vectors are all there, or by words alone: never by meaning
over a part of the passages. The vectors of the encoder before are deleted by the first sync that
the new one takes part in once it has encoded everything.
"""

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veracite.engine.libraries import Against, Libraries
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.index.library import Library
from veracite.index.progress import Encoded
from veracite.models.cores import physical_cores
from veracite.models.errors import Cancelled

if TYPE_CHECKING:
    from veracite.models.encoder import Encoder


def is_changing(library: Library) -> bool:
    """Whether the library's encoder takes the place of another one, and is not done yet."""
    return not library.is_complete and bool(library.other_encoders)


def stand_in(library: Library, models: OpenModels) -> str:
    """Have a library that is changing go by what is complete; what to tell of that.

    Args:
        library: Keeps the vectors of both encoders meanwhile.
        models: Use the encoder before, or none, until an encoder is asked for again.
    """
    new = models.encoder_id()
    complete = [name for name, is_complete in library.other_encoders.items() if is_complete]
    encoder = models.stand_in(complete)
    library.stand_in(encoder.encode if encoder else None, encoder.id if encoder else None)
    return (
        f"The library is not completely encoded with {new} yet; until it is, search goes by "
        f"{f'the encoder before, {encoder.id}' if encoder else 'words alone'}."
    )


class Reencoding:
    """Encodes a library anew with the encoder that is chosen, which it opens for itself.

    Args:
        settings: Of every check.
        paths: Where the libraries and the models are.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._libraries = Libraries(paths)
        # The other half of the cores is for what goes on meanwhile.
        threads = max(1, (settings.threads or physical_cores()) // 2)
        self._models = OpenModels(replace(settings, threads=threads), paths)
        self._encoder: Encoder | None = None
        self._stopped = False

    @property
    def encoder(self) -> str | None:
        """The id of the encoder that is chosen; None if it cannot be used."""
        return self._models.encoder_id()

    def run(self, against: Against) -> Generator[Encoded, None, None]:
        """Encode what is left of a library that is changing; of any other, nothing.

        After ``stop`` or being killed at any moment, the next run goes on with the batch that was
        in work.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        encoder, folder = self.encoder, self._libraries.folder(against)
        if encoder is None or not folder.is_dir():
            return

        def encode(texts: Sequence[str]) -> NDArray[np.float32]:
            # Opened with the first batch: most libraries need none.
            self._encoder = self._models.open_encoder()
            if self._stopped or self._encoder.id != encoder:
                raise Cancelled
            return self._encoder.encode(texts)

        with (
            suppress(Cancelled),
            Library.open(folder, encode=encode, encoder_id=encoder) as library,
        ):
            if is_changing(library):
                yield from library.encode_missing()

    def stop(self) -> None:
        """End the run, also in the midst of a batch; from any thread."""
        self._stopped = True
        if (encoder := self._encoder) is not None:
            encoder.cancel()

    def close(self) -> None:
        """Let go of the encoder; nothing may be running."""
        self._models.close()
        self._encoder = None
