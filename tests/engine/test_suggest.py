"""Which word is proposed for a misspelled one."""

from __future__ import annotations

from engine.suggest import WordList, nearest


def test_the_most_similar_word_is_suggested_in_its_own_spelling():
    cases = [
        ("fortifcations", ["training", "fortifications"], "fortifications"),
        ("HUSCARL", ["Levy Spearman", "Huscarl"], "Huscarl"),
        ("Dry", ["Arid", "Ocean"], ""),
        ("Dry", [], ""),
        ("", ["Arid"], ""),
        ("Osk", ["Norway", "Kingdom of Osk"], "Kingdom of Osk"),
        ("Osk", ["Kingdom of Osk", "Great Osk Empire of the East"], ""),
        ("sk", ["Kingdom of Osk"], ""),
        ("Manzikert", {"Manzikert II": 1, "Hastings": 2}, "Manzikert II"),
    ]
    assert [(found, allowed, nearest(found, allowed)) for found, allowed, _ in cases] == cases


def test_the_most_similar_of_very_many_words_is_suggested():
    words = WordList(f"Land number {number}" for number in range(25_000))
    typed = ["Lnd nmber 17", "land number 24999", "Land number 1234", "Lamd number 88", "Sea number 3"]

    assert [words.nearest(found) for found in typed] == [
        "Land number 17",
        "Land number 24999",
        "Land number 1234",
        "Land number 88",
        "Land number 3",
    ]
    assert words.nearest("Xyzzy") == ""
    assert WordList([]).nearest("Xyzzy") == ""
    assert not WordList([])
