"""The ways of judging that ``measure_judging.py`` times, each on a model opened for it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from judging_page import Took, Way

from veracite.engine.events import Asked
from veracite.engine.skills.base import Task
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.models.generator import Generator

__all__ = ["CONTEXT", "judged_here", "now", "plain_chat", "since"]

CONTEXT = 4096
NOTHING = Took(0.0, 0.0)


def judged_here(
    opened: Callable[[], Generator], name: str, tasks: Sequence[Task], verifier: Took
) -> Way:
    """Judging as Veracite does, after the verifier."""
    with opened() as generator:
        skills = PromptedSkills(generator, Prompts.load())
        started = now()
        prefilled = sum(e.prefilled for e in skills.judge(tasks) if isinstance(e, Asked))
        return Way(name, since(started, verifier), prefilled, 0)


def plain_chat(
    model: Path, threads: int, name: str, tasks: Sequence[Task], wording: str, limit: int
) -> Way:
    """One plain chat completion for each claim, all its passages in the prompt."""
    import llama_cpp

    skill, _, source = wording.partition(".")
    prompt = Prompts.load().choose(skill, (source,))
    llama: Any = llama_cpp.Llama(str(model), n_ctx=CONTEXT, n_threads=threads,
                            n_threads_batch=threads, verbose=False)  # fmt: skip
    evaluated = _counting(llama)
    generated = 0
    started = now()
    for task in tasks:
        fields = {"claim": task.claim.hypothesis, "question": task.question or "(none)"}
        messages = [
            {"role": message.role, "content": "".join(message.parts)}
            for message in prompt.render(fields, task.passages)
        ]
        # Nobody but the limit ends a random model's reply.
        reply = llama.create_chat_completion(
            messages, max_tokens=limit, temperature=0.0, logit_bias={2: -100.0}
        )
        generated += reply["usage"]["completion_tokens"]
    took = since(started)
    llama.close()
    return Way(name, took, sum(evaluated) - generated + len(tasks), generated)


def _counting(llama: Any) -> list[int]:
    """How many tokens each evaluation computes, noted as they come."""
    evaluated: list[int] = []
    evaluate: Callable[[Sequence[int]], None] = llama.eval

    def noted(tokens: Sequence[int]) -> None:
        evaluated.append(len(tokens))
        evaluate(tokens)

    llama.eval = noted
    return evaluated


def since(began: Took, before: Took = NOTHING) -> Took:
    """What passed since then, added to what passed before."""
    ended = now()
    clock, cores = ended.clock - began.clock, ended.cores - began.cores
    return Took(clock + before.clock, cores + before.cores)


def now() -> Took:
    """Where both clocks stand."""
    return Took(time.perf_counter(), time.process_time())
