"""From a claim and its passages to a verdict: premises, the network, the decision, citations."""
