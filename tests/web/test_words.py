"""The page's words: both languages have all of them, and the page uses no others."""

import json
import re
from pathlib import Path

import pytest

from engine.rules import RULESETS
from kibitz.wizard import question_lines
from referee.events import Setup
from referee.session import begin

STATIC = Path(__file__).parents[2] / "kibitz" / "web" / "static"
WORDS = {code: json.loads((STATIC / "words" / f"{code}.json").read_text()) for code in ("en", "ru")}
BLANK = re.compile(r"\{(\w+)\}")


def used() -> set[str]:
    pages = "".join(p.read_text() for p in STATIC.glob("*.html"))
    scripts = "".join(p.read_text() for p in STATIC.glob("*.js"))
    keys = set(re.findall(r'data-word(?:-title)?="([^"]+)"', pages))
    keys |= set(re.findall(r'\b(?:word|tell)\("([^"]+)"', scripts))
    keys |= set(re.findall(r'\["((?:keys|do)\.\w+)"', scripts))
    return keys


def test_every_word_that_the_page_uses_is_there() -> None:
    assert used() - set(WORDS["en"]) == set()


def test_both_languages_say_the_same_things() -> None:
    assert WORDS["en"].keys() == WORDS["ru"].keys()
    for key, english in WORDS["en"].items():
        assert sorted(BLANK.findall(english)) == sorted(BLANK.findall(WORDS["ru"][key])), key


@pytest.mark.parametrize("code", WORDS)
def test_every_choice_of_the_set_up_has_words(code: str) -> None:
    choices = [
        (q.field, choice) for q in question_lines(begin(Setup(policy="legal"))) for choice in q.choices
    ]
    assert [c for c in choices if "choice.{}.{}".format(*c) not in WORDS[code]] == []


@pytest.mark.parametrize("code", WORDS)
def test_every_game_and_what_it_is_worth_has_a_name(code: str) -> None:
    for name, rules in RULESETS.items():
        assert f"choice.rules.{name}" in WORDS[code]
        for stake in rules.stakes:
            assert f"stake.{stake.name}" in WORDS[code]


def test_russian_is_russian() -> None:
    same = {key for key, text in WORDS["ru"].items() if text == WORDS["en"][key]}
    assert same == set()
