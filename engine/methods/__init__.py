"""The four methods (CEG, REFEED, LLatrieval, VTG) and the baselines that stand beside them."""
