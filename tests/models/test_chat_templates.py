"""Chat templates are rendered as transformers renders them, begin once, and end where they should.

What transformers made of them is kept in ``rendered_chats.json``. Where transformers are installed
(the extra ``train``), that is rendered anew, and with ``VERACITE_TEST_MODEL=FILE.gguf`` that file's
own template too.
"""

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
import tiny_gguf
from tiny_gguf import CHATML
from tokenizers import Tokenizer, models

from veracite.models.chat import Chat, Message
from veracite.models.gguf import chat_template, read_header
from veracite.models.llama import Model

BEGIN, END = "<|endoftext|>", "<|im_end|>"
THINKING = (
    "{% for message in messages %}"
    "{% set said = message.content.split('</think>')[-1].lstrip('\\n') %}"
    "{{ '<|im_start|>' + message.role + '\\n' + said + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}"
)
FAMILIES = {
    "ChatML": (CHATML, END),
    "Qwen 3": (
        THINKING + "{% if enable_thinking is defined and enable_thinking is false %}"
        "{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}",
        END,
    ),
    "Llama 3": (
        "{{ bos_token }}{% for message in messages %}"
        "{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' "
        "+ message['content'] | trim + '<|eot_id|>' }}{% endfor %}{% if add_generation_prompt %}"
        "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}",
        "<|eot_id|>",
    ),
    "Gemma": (
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
        "{{ raise_exception('System role not supported') }}{% endif %}"
        "{% for message in messages %}"
        "{% set role = 'model' if message['role'] == 'assistant' else message['role'] %}"
        "{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}",
        "<end_of_turn>",
    ),
    "Mistral": (
        "{{ bos_token }}{% for message in messages %}"
        "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant') }}{% endif %}"
        "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
        "{% else %}{{ message['content'] + eos_token }}{% endif %}{% endfor %}",
        END,
    ),
    "SmolLM 3": (
        "{% for message in messages %}"
        "{{ '<|im_start|>' + message.role + '\\n' }}{%- if message.role == 'assistant' -%}"
        "{% generation %}{{ message.content + '<|im_end|>\\n' }}{% endgeneration %}"
        "{%- else -%}{{ message.content + '<|im_end|>\\n' }}{%- endif -%}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
        END,
    ),
    "Phi": (
        "{% for message in messages %}"
        "{{ '<|' + message['role'] + '|>\\n' + message['content'] + '<|end|>\\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}"
        "{% else %}{{ eos_token }}{% endif %}",
        "<|end|>",
    ),
}
"""By family a template of its form, and the token that ends a turn."""
SPECIAL = (
    *("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<start_of_turn>", "<end_of_turn>"),
    *("<|system|>", "<|user|>", "<|assistant|>", "<|end|>"),
)
SAID = (
    *(("system", "You judge claims."), ("user", "The mill burned down.")),
    *(("assistant", "Yes."), ("user", "Is it 1904?")),
)
RENDERED = json.loads(Path(__file__).with_name("rendered_chats.json").read_text("utf-8"))
"""By family what transformers made of the first two, three and four turns, merged or not."""
MERGED = (("user", "You judge claims.\n\nThe mill burned down."), *SAID[2:])


@pytest.fixture(scope="module", params=[False, True], ids=["", "begins"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model that knows the families' tokens; one of two whose texts begin with one."""
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    tiny_gguf.make(path, add_bos=request.param, special=SPECIAL)
    return Model(path, context=256, chunk=64, threads=1, gpu_layers=0)


def rendered(template: str, said: Sequence[tuple[str, str]], begin: str, end: str) -> str:
    """What transformers makes of a conversation before the assistant speaks, or goes on."""
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.BPE()), bos_token=begin, eos_token=end
    )
    messages = [{"role": role, "content": content} for role, content in said]
    goes_on = said[-1][0] == "assistant"
    text: str = tokenizer.apply_chat_template(
        messages,
        chat_template=template,
        tokenize=False,
        add_generation_prompt=not goes_on,
        continue_final_message=goes_on,
        enable_thinking=False,
    )
    return text


def prompt_of(model: Model, template: str, said: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    messages = [Message(role, (content,)) for role, content in said]  # type: ignore[arg-type]
    return tuple(chain(*Chat(template, model).segments(messages)))


def written(model: Model, tokens: Sequence[int]) -> str:
    return b"".join(model.piece(token, special=True) for token in tokens).decode()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("turns", [2, 3, 4])
def test_a_conversation_is_rendered_as_transformers_does(
    family: str, turns: int, model: Model
) -> None:
    template, end = FAMILIES[family]
    expected = RENDERED[family][turns - 2]
    # Its own template shows that its last turn is not thought.
    if (family, turns) == ("Qwen 3", 3):
        expected = expected.replace("\nYes.", "\n<think>\n\n</think>\n\nYes.")
    tokens = prompt_of(model, template, SAID[:turns])
    begins = model.adds_begin and not expected.startswith(BEGIN)
    assert written(model, tokens) == BEGIN * begins + expected
    assert tokens.count(model.begin) == (model.adds_begin or expected.startswith(BEGIN))
    assert model.name(Chat(template, model).end) == end


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_kept_is_what_transformers_renders(family: str) -> None:
    said = MERGED if family in ("Gemma", "Mistral") else SAID
    firsts = [said[:turns] for turns in range(len(said) - 2, len(said) + 1)]
    template = FAMILIES[family][0]
    assert RENDERED[family] == [rendered(template, first, BEGIN, END) for first in firsts]


def test_a_model_that_always_thinks_is_asked_for_the_answer_itself(model: Model) -> None:
    off = prompt_of(model, FAMILIES["Qwen 3"][0], SAID)
    for opening in ("<think>", "<think>\\n", "<think>\\n\\n"):
        always = THINKING + f"{{{{ '{opening}' }}}}{{% endif %}}"
        assert prompt_of(model, always, SAID) == off


@pytest.mark.long
def test_a_real_template_is_rendered_as_transformers_does(real_model: Path) -> None:
    opened = Model(real_model, context=512, chunk=64, threads=1, gpu_layers=0)
    template = chat_template(read_header(real_model))
    ends = opened.name(opened.begin), opened.name(opened.end)
    for said in (SAID[:2], SAID, SAID[1:2]):
        expected = rendered(template, said, *ends)
        tokens = prompt_of(opened, template, said)
        assert written(opened, tokens).removeprefix(ends[0]) == expected.removeprefix(ends[0])
        assert tokens == opened.tokenise(written(opened, tokens), special=True)
    opened.close()
