"""How well colours are told apart."""

from textual.color import Color


def contrast(one: Color, other: Color) -> float:
    """The ratio of their luminances (WCAG 2.2, "contrast ratio")."""

    def luminance(colour: Color) -> float:
        parts = (
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized
        )
        return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
