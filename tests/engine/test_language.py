"""Languages that the bundled models do not read are named; English never is."""

import pytest

from veracite.engine.language import unsupported

REPORT = {
    "German": "Der Bericht wurde im Jahr 2019 veröffentlicht und umfasst zwölf Kapitel.",
    "French": "Le rapport a été publié en 2019 et comprend douze chapitres.",
    "Turkish": "Rapor 2019 yılında yayımlandı ve on iki bölümden oluşuyor.",
    "Russian": "Отчёт был опубликован в 2019 году и состоит из двенадцати глав.",
    "Chinese": "该报告于2019年发表,共有十二章。",
    "Japanese": "この報告書は2019年に発表され、12章からなる。",
    "Arabic": "نُشر التقرير في عام 2019 ويتألف من اثني عشر فصلاً.",
    "Hindi": "यह रिपोर्ट 2019 में प्रकाशित हुई थी और इसमें बारह अध्याय हैं।",
}


@pytest.mark.parametrize("language", REPORT)
def test_a_foreign_sentence_is_named(language: str) -> None:
    assert unsupported(REPORT[language]) == language


@pytest.mark.parametrize(
    "text",
    [
        "The report was published in 2019 and has twelve chapters.",
        "Claude Debussy studied at Conservatoire de Paris.",
        "Johann Wolfgang von Goethe wrote Die Leiden des jungen Werthers.",
        "François Truffaut, Éric Rohmer, Agnès Varda, Jean-Luc Godard",
        "The word 東京 means eastern capital.",
        "La Paz",
        "",
        "1234 5678",
    ],
)
def test_english_names_and_short_strings_are_not_foreign(text: str) -> None:
    assert unsupported(text) is None


def test_a_short_text_takes_the_language_around_it() -> None:
    assert unsupported("Gegründet 1990", hint="German") == "German"
    assert unsupported("The end", hint="German") is None
