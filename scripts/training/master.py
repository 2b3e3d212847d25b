"""AdamW on weights in floats for a module that may compute in bfloat16, and their average.

All weights of the module become parts of one tensor, and so do their gradients: a step is a copy,
a norm and a few updates, whatever the number of layers.
"""

from __future__ import annotations

import re
from typing import Any

import torch
from torch import Tensor, nn

Places = dict[str, tuple[slice, torch.Size]]

_LAYER = re.compile(r"layers\.(\d+)\.")


def tie(model: nn.Module, places: Places, low: Tensor, gradient: Tensor) -> None:
    """Let a module compute with the weights of ``low`` and add up its gradients in ``gradient``."""
    for name, parameter in model.named_parameters():
        if name in places:
            place, shape = places[name]
            parameter.data = low[place].view(shape)
            parameter.grad = gradient[place].view(shape)
        else:
            parameter.data = parameter.data.to(low.dtype)


class Master:
    """The weights that are trained, in floats, and their exponential average over the steps."""

    def __init__(
        self,
        model: nn.Module,
        *,
        head_times: float,
        fall: float,
        average: float,
        workers: int,
        kind: torch.dtype,
    ) -> None:
        """Turn the module into the kind of numbers it computes in and take over what it learns.

        Args:
            model: Its parameters that need a gradient are trained.
            head_times: How much faster than the highest layer the parameters named ``head`` learn.
            fall: What a layer's learning rate is of that of the layer above it.
            average: What a step leaves of the average before it, once there are enough steps.
            workers: Processes that compute gradients, this one among them.
            kind: bfloat16, or floats where the processor cannot multiply it.
        """
        learnt = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        size = sum(parameter.numel() for _, parameter in learnt)
        self._whole, self._gradient = torch.empty(size), torch.empty(size)
        self._average, self._steps = average, 0
        self._places: Places = {}
        highest = max((int(at) for name, _ in learnt for at in _LAYER.findall(name)), default=0)
        kinds: dict[tuple[float, float], list[tuple[str, nn.Parameter]]] = {}
        for name, parameter in learnt:
            layer = _LAYER.match(name)
            times = fall ** (highest - int(layer[1])) if layer else fall ** (highest + 1)
            times = head_times if name.startswith("head") else times
            decay = 0.01 if parameter.ndim > 1 and layer else 0.0
            kinds.setdefault((times, decay), []).append((name, parameter))
        groups, at = [], 0
        for (times, decay), parameters in kinds.items():
            start = at
            for name, parameter in parameters:
                place = slice(at, at + parameter.numel())
                self._whole[place] = parameter.detach().flatten()
                self._places[name] = (place, parameter.shape)
                at = place.stop
            part = self._whole[start:at].requires_grad_()
            part.grad = self._gradient[start:at]
            groups.append({"params": [part], "weight_decay": decay, "times": times})
        self.low = self._whole.detach().to(kind).share_memory_()
        self.gradients = [torch.zeros_like(self.low).share_memory_() for _ in range(workers)]
        self._mean = self._whole.detach().clone()
        tie(model, self._places, self.low, self.gradients[0])
        self._optimiser = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.98), fused=True)

    @property
    def places(self) -> Places:
        """Where each parameter stands in the one tensor."""
        return self._places

    def step(self, rate: float) -> None:
        """Take one step along the gradients that the module has, cut to a norm of 1."""
        self._gradient.copy_(self.gradients[0])
        for gradient in self.gradients[1:]:
            self._gradient += gradient
        for gradient in self.gradients:
            gradient.zero_()
        self._gradient /= max(1.0, float(self._gradient.norm()))
        for group in self._optimiser.param_groups:
            group["lr"] = rate * group["times"]
        self._optimiser.step()
        self._steps += 1
        left = min(self._average, (1 + self._steps) / (6 + self._steps))
        with torch.no_grad():
            self.low.copy_(self._whole)
            self._mean.lerp_(self._whole, 1 - left)

    def weights(self, *, averaged: bool) -> dict[str, Tensor]:
        """Return what was trained, or its average, by the names of the module's parameters."""
        of = self._mean if averaged else self._whole.detach()
        return {name: of[at].view(shape).clone() for name, (at, shape) in self._places.items()}

    def state(self) -> dict[str, Any]:
        """Return everything that is needed to go on."""
        return {
            "whole": self._whole.detach(),
            "mean": self._mean,
            "steps": self._steps,
            "optimiser": self._optimiser.state_dict(),
        }

    def go_on(self, state: dict[str, Any]) -> None:
        """Take up what ``state`` returned."""
        with torch.no_grad():
            self._whole.copy_(state["whole"])
            self.low.copy_(self._whole)
        self._mean.copy_(state["mean"])
        self._steps = state["steps"]
        self._optimiser.load_state_dict(state["optimiser"])
