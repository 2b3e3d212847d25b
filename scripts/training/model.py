"""The verifier in transformers: MPNet over (premise, claim), a linear layer over three views."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from transformers import MPNetConfig, MPNetModel


class Verifier(nn.Module):
    """Pools [CLS] and the mean and maximum over the claim's tokens; three logits.

    The claim's tokens have seen the premise: the maximum over them can say that one word of the
    claim has no support, which a mean over everything blurs.
    """

    def __init__(self, config: MPNetConfig) -> None:
        super().__init__()
        self.trunk = MPNetModel(config, add_pooling_layer=False)
        self.head = nn.Linear(3 * config.hidden_size, 3)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits (batch, 3): supported, neutral, contradicted."""
        states = self.trunk(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        claim = (attention_mask * token_type_ids).unsqueeze(-1).to(states.dtype)
        mean = (states * claim).sum(1) / claim.sum(1).clamp(min=1.0)
        highest = (states * claim - 1e4 * (1.0 - claim)).max(1).values
        logits: Tensor = self.head(torch.cat([states[:, 0], mean, highest], dim=1))
        return logits
