"""What is read of a GGUF file before anything is loaded."""

import random
from pathlib import Path

import pytest
import tiny_gguf
from gguf import GGUFWriter

from veracite.models.errors import ModelError
from veracite.models.gguf import Header, read_header


def write(path: Path, architecture: str, **values: int | str) -> Path:
    """A file of values alone."""
    writer = GGUFWriter(path, architecture)
    for key, value in values.items():
        name = key.replace("__", ".")
        writer.add_string(name, value) if isinstance(value, str) else writer.add_uint32(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    return path


def test_the_header_tells_the_model_s_shape(tiny_model: Path) -> None:
    header = read_header(tiny_model)
    matrices = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128
    assert header == Header(
        path=tiny_model,
        name="tiny",
        context_length=512,
        blocks=2,
        embedding=64,
        feed_forward=128,
        cache=2 * (2 + 2) * (16 + 16),
        vocabulary=512,
        chat_template=tiny_gguf.CHATML,
        parameters=2 * (matrices + 2 * 64) + 64 + 2 * 512 * 64,
        tensor_bytes=4 * (2 * (matrices + 2 * 64) + 64 + 2 * 512 * 64),
    )


def test_each_block_may_have_its_own_number_of_heads(tmp_path: Path, tiny_model: Path) -> None:
    name = b"llama.attention.head_count_kv"
    one = name + (4).to_bytes(4, "little") + (2).to_bytes(4, "little")
    several = name + b"".join(
        number.to_bytes(size, "little") for number, size in ((9, 4), (4, 4), (2, 8), (2, 4), (0, 4))
    )
    content = tiny_model.read_bytes().replace(one, several)
    path = tmp_path / "m.gguf"
    path.write_bytes(content + bytes(64))
    assert read_header(path).cache == 2 * (2 + 0) * (16 + 16)


def test_a_name_cannot_steer_the_terminal(tmp_path: Path, tiny_model: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(tiny_model.read_bytes().replace(b"tiny", b"\x1b[2J", 1))
    assert read_header(path).name == "[2J"


@pytest.mark.parametrize(
    ("architecture", "values", "message"),
    [
        ("bert", {}, "cannot write text: it holds a model of the kind bert"),
        ("t5encoder", {}, "it holds a model of the kind t5encoder"),
        ("llama", {"general__type": "adapter"}, "it holds a model of the kind adapter"),
        ("llama", {"split__count": 3}, "only a part of a model"),
        ("llama", {}, "it does not say its block_count"),
    ],
)
def test_what_cannot_write_is_refused(
    tmp_path: Path, architecture: str, values: dict[str, int | str], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        read_header(write(tmp_path / "m.gguf", architecture, **values))


def test_any_damage_to_the_header_is_a_model_error(tmp_path: Path, tiny_model: Path) -> None:
    content = tiny_model.read_bytes()
    end = content.index(b"output.weight") + 64
    random_ = random.Random(4)
    path = tmp_path / "m.gguf"
    refused = 0
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(random_.choice((1, 1, 2, 8))):
            damaged[random_.randrange(end)] ^= 1 << random_.randrange(8)
        path.write_bytes(damaged[: random_.choice((len(damaged), random_.randrange(end)))])
        try:
            read_header(path)
        except ModelError:
            refused += 1
    assert 75 < refused < 150
