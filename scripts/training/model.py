"""The verifier: a BERT trunk over (premise, claim) and one linear layer over three pooled views."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

MAX_LENGTH = 256


class Verifier(nn.Module):
    """Pools [CLS] and the mean and maximum over the claim's tokens; three logits.

    The claim's tokens have seen the premise: the maximum over them can say that one word of the
    claim has no support, which a mean over everything blurs.
    """

    def __init__(self, trunk: BertModel, dropout: float = 0.1) -> None:
        super().__init__()
        self.trunk = trunk
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(3 * trunk.config.hidden_size, 3)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits (batch, 3): supported, neutral, contradicted."""
        states = self.trunk(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        claim = (attention_mask * token_type_ids).unsqueeze(-1).to(states.dtype)
        # As a product, because a sum over the tokens of one row runs in another order than of many.
        mean = (claim.transpose(1, 2) @ states).squeeze(1) / claim.sum(1).clamp(min=1.0)
        highest = (states * claim - 1e4 * (1.0 - claim)).max(1).values
        pooled = torch.cat([states[:, 0], mean, highest], dim=1)
        # Not self.head(pooled): a matrix product of one row runs in another order than one of many,
        # and a pair's logits would depend on whether it is alone in its batch.
        products = self.dropout(pooled).unsqueeze(1) * self.head.weight
        return products.sum(-1) + self.head.bias


def trained(weights: Path, checkpoint: Path, attention: str = "sdpa") -> Verifier:
    """Return the verifier of a checkpoint (``weights`` gives the configuration)."""
    config = BertConfig.from_pretrained(str(weights))
    config._attn_implementation = attention
    model = Verifier(BertModel(config, add_pooling_layer=False))
    state = torch.load(checkpoint / "state.pt", map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    return model
