"""AdamW on weights in floats for a module that may compute in bfloat16.

All weights of the module become parts of one tensor, and so do their gradients: a step is a copy,
a norm and three updates, whatever the number of layers.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["Master"]


class Master:
    """The weights that are trained, in floats."""

    def __init__(
        self, model: nn.Module, rate: float, *, head_times: float, kind: torch.dtype
    ) -> None:
        """Turn the module into the kind of numbers it computes in and take over what it learns.

        Args:
            model: Its parameters that need a gradient are trained; those named ``head`` faster.
            rate: The highest learning rate.
            head_times: How much faster the head learns.
            kind: bfloat16, or floats where the processor cannot multiply it.
        """
        learnt = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        size = sum(parameter.numel() for _, parameter in learnt)
        self._whole, self._gradient = torch.empty(size), torch.empty(size)
        self._low = torch.empty(size, dtype=kind)
        self._low_gradient = torch.zeros(size, dtype=kind)
        self._views: dict[str, Tensor] = {}
        kinds = (
            ([x for x in learnt if x[0].startswith("head")], 0.0, head_times),
            ([x for x in learnt if not x[0].startswith("head") and x[1].ndim > 1], 0.01, 1.0),
            ([x for x in learnt if not x[0].startswith("head") and x[1].ndim == 1], 0.0, 1.0),
        )
        groups, at = [], 0
        for parameters, decay, times in kinds:
            start = at
            for name, parameter in parameters:
                place = slice(at, at + parameter.numel())
                self._whole[place] = parameter.detach().flatten()
                parameter.data = self._low[place].view(parameter.shape)
                parameter.grad = self._low_gradient[place].view(parameter.shape)
                self._views[name] = self._whole[place].view(parameter.shape)
                at = place.stop
            part = self._whole[start:at].requires_grad_()
            part.grad = self._gradient[start:at]
            groups.append({"params": [part], "weight_decay": decay, "times": times})
        self._low.copy_(self._whole)
        for parameter in model.parameters():
            if not parameter.requires_grad:
                parameter.data = parameter.data.to(kind)
        self._optimiser = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=True)

    def step(self, rate: float) -> None:
        """Take one step along the gradients that the module has, cut to a norm of 1."""
        self._gradient.copy_(self._low_gradient)
        self._low_gradient.zero_()
        self._gradient /= max(1.0, float(self._gradient.norm()))
        for group in self._optimiser.param_groups:
            group["lr"] = rate * group["times"]
        self._optimiser.step()
        with torch.no_grad():
            self._low.copy_(self._whole)

    def weights(self) -> dict[str, Tensor]:
        """Return what was trained, by the names of the module's parameters."""
        return {name: view.detach().clone() for name, view in self._views.items()}
