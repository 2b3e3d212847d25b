"""Where models are kept: pulled, imported, verified and chosen."""
