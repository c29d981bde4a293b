"""What the live page says: banners, findings and the source's health, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.reasons import Reason
from kibitz.lang import LANGUAGES, Code
from kibitz.snapshot import Words
from referee.events import Setup
from referee.findings import Finding
from referee.observation import BAR_DARK, BAR_LIGHT, OFF_DARK, POINTS

_ROWS: tuple[tuple[str, str, str], ...] = (
    ("searching", "Looking for the board.", "Ищу доску."),
    ("no_sight", "No sight of the board: {detail}", "Доски не видно: {detail}"),
    ("unwritten", "Nothing is recorded now: {detail}", "Сейчас ничего не записывается: {detail}"),
    ("wrong_start", "This is not the start: {places}.", "Это не начальная расстановка: {places}."),
    ("ready", "{side} to roll.", "Бросает: {side}."),
    ("ready_nobody", "Throw one die each; the higher begins.",
     "Бросьте по одной кости; у кого больше, тот начинает."),
    ("rolled", "{side} rolled {dice}.", "{side}: выпало {dice}."),
    ("incomplete", "{side} is playing {dice}.", "{side} играет {dice}."),
    ("accepted", "{play} – legal; lift the dice or press to end the turn.",
     "{play} — по правилам; снимите кости или нажмите кнопку."),
    ("dance", "No legal play with {dice}: end the turn.", "С {dice} хода нет: завершите ход."),
    (
        "warning",
        "{play} costs {cost} of equity; {best} is better. Play it anyway, or take it back?",
        "{play} теряет {cost} эквити; лучше {best}. Сыграть всё равно или взять ход назад?",
    ),
    ("illegal", "Illegal: {why}", "Не по правилам: {why}"),
    ("ambiguous", "Which play was it?", "Какой это был ход?"),
    ("dice_doubt", "{play} is no play of {dice}. Were the dice {others}? Choose it, or type the dice.",
     "{play} — не ход при {dice}. Может быть, выпало {others}? Выберите этот ход или введите кости."),
    ("lost", "The table fits no play: {places}. Put it right, or go on from what lies there.",
     "Ни один ход так не получается: {places}. Поправьте или продолжайте с того, что лежит."),
    ("doubled", "{side} doubles to {cube}: take or drop?", "{side} удваивает до {cube}: принять или сдать?"),
    ("adjourned", "Adjourned.", "Игра отложена."),
    ("over", "{side} wins {points} ({name}).", "Победа: {side}, очков {points} ({name})."),
    ("draw", "A draw.", "Ничья."),
    ("restored", "Moved while nobody looked: {places}.", "Пока никто не смотрел, сдвинуто: {places}."),
    ("undone", "Taken back: put the checkers where the blue lamps point.",
     "Ход отменён: верните шашки, куда показывают синие лампы."),
    (Finding.COCKED_DICE, "A die leans: throw again.", "Кость стоит косо: перебросьте."),
    (Finding.PREMATURE_ROLL, "Rolled before the turn was over: the throw does not count.",
     "Брошено до конца хода соперника: бросок не считается."),
    (Finding.OUT_OF_TURN, "It is {side}'s turn, but the other side moved.",
     "Ходить должен {side}, а сходил соперник."),
    (Finding.NO_ROLL, "Checkers were moved and no roll was seen: type the dice or put them back.",
     "Шашки сдвинуты без броска: введите кости или верните шашки."),
    (Finding.OPPONENTS_CHECKER, "The opponent's checkers were moved ({places}).",
     "Сдвинуты шашки соперника ({places})."),
    (Finding.BOTH_COLOURS, "Checkers of both colours stand on one point ({places}).",
     "На одном пункте стоят шашки обоих цветов ({places})."),
    (Finding.APPEARED, "There are more checkers than before ({places}).", "Шашек стало больше ({places})."),
    (Finding.VANISHED, "Checkers are missing ({places}).", "Шашек не хватает ({places})."),
    (Finding.LOST, "The table fits no play ({places}).", "Ни один ход так не получается ({places})."),
    (Finding.UNFINISHED, "The turn was ended, but more of {dice} can be played.",
     "Ход завершён, а {dice} сыграно не полностью."),
    (Finding.OPENING_TIE, "Equal dice: throw again.", "Поровну: бросьте ещё раз."),
    (Finding.FLAG_FELL, "{side} has run out of time.", "{side}: время вышло."),
    ("ok", "The board is seen.", "Доску видно."),
    ("unplugged", "The camera is gone; trying again.", "Камера пропала; подключаюсь снова."),
    ("frozen", "The picture has frozen.", "Картинка застыла."),
    ("dark", "It is too dark.", "Слишком темно."),
    ("covered", "The camera is covered.", "Камеру закрыли."),
    ("bumped", "Camera or board were moved; finding the board again.",
     "Камеру или доску сдвинули; ищу доску снова."),
    ("ended", "The recording is over.", "Запись кончилась."), ("rules", "Which game?", "Какая игра?"),
    ("names", "Who plays light, who dark?", "Кто играет светлыми, кто тёмными?"),
    ("length", "Match to how many points? 0: money.", "До скольких очков? 0 — без матча."),
    ("policy", "What happens after an illegal play?", "Что делать с ошибочным ходом?"),
    ("clock", "Which clock?", "Какие часы?"),
    ("seconds", "Seconds for each player.", "Секунд каждому игроку."),
    ("increment", "Seconds for each turn.", "Секунд на каждый ход."),
    ("side", "Who begins?", "Кто начинает?"),
    ("layout", "Where do the light checkers bear off?", "Где дом светлых?"),
    ("whoever", "Whoever begins", "Тот, кто начинает"),
    ("name_light", "Light", "Светлые"), ("name_dark", "Dark", "Тёмные"),
    ("light", "light's", "светлых"), ("dark_", "dark's", "тёмных"), ("bar", "bar of {side}", "борт {side}"),
    ("off", "tray of {side}", "двор {side}"), ("point", "point {number}", "пункт {number}"),
)  # fmt: skip

_TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType({str(key): (en, ru) for key, en, ru in _ROWS})


def words(key: str, **values: object) -> Words:
    """The sentence of a key, its blanks filled; a value that is `Words` is taken in its own language."""
    en, ru = _TEXTS[key]
    return Words(_filled(en, values, "en"), _filled(ru, values, "ru"))


def _filled(text: str, values: Mapping[str, object], code: str) -> str:
    return text.format(**{k: getattr(v, code) if isinstance(v, Words) else v for k, v in values.items()})


def side_name(setup: Setup, side: int) -> Words:
    """Who plays a side; nobody's name is said in the page's own language."""
    name = setup.names[side]
    return words(("name_light", "name_dark")[side]) if name == Setup().names[side] else plain(name)


def plain(text: str) -> Words:
    """A name that is the same in each language."""
    return Words(text, text)


def joined(parts: list[Words]) -> Words:
    """Several in a row."""
    return Words(", ".join(p.en for p in parts), ", ".join(p.ru for p in parts))


def because(why: tuple[Reason, ...]) -> Words:
    """Broken rules in words, in the mover's own numbers."""

    return Words(_reasons(why, Code.EN, "bar", "off"), _reasons(why, Code.RU, "борт", "двор"))


def _reasons(why: tuple[Reason, ...], code: Code, bar: str, off: str) -> str:
    return LANGUAGES[code].reasons(why, lambda own: {25: bar, 0: off}.get(own, str(own)))


def place_words(place: int, number: int) -> Words:
    """A table place; `number` the mover's own number of a point."""
    if place < POINTS:
        return words("point", number=number)
    side = words("dark_" if place in (BAR_DARK, OFF_DARK) else "light")
    return words("bar" if place in (BAR_LIGHT, BAR_DARK) else "off", side=side)


def known(key: str) -> bool:
    """Whether there are words of this key."""
    return key in _TEXTS
