"""The words themselves: a key, the English, the Russian."""

from __future__ import annotations

from engine.position import Trouble
from engine.reasons import Why
from engine.repairs import Lost, Mend
from kibitz.report_texts import REPORT_ROWS

_ROWS: tuple[tuple[str, str, str], ...] = (
    (Why.BLOCKED, "{points}: held by the opponent.", "{points}: закрыто соперником."),
    (
        Why.WRONG_COUNT,
        "From {first} to {last} is not what {dice} gives.",
        "С {first} на {last} — не то число, которое даёт {dice}.",
    ),
    (
        "no_die_left",
        "No die is left for {first} to {last}.",
        "Для хода с {first} на {last} не осталось кости.",
    ),
    (
        Why.NOT_ENTERED,
        "A checker on the bar must enter before anything else moves.",
        "Пока шашка на борту, ходить другими нельзя.",
    ),
    (
        Why.LARGER_DIE,
        "Only one die can be played, so it must be the larger one: {dice}.",
        "Сыграть можно только одну кость, и это должна быть большая: {dice}.",
    ),
    (
        Why.NOT_ALL_HOME,
        "No bearing off yet: not all checkers are home ({points}).",
        "Выводить рано: не все шашки в доме ({points}).",
    ),
    (
        Why.HIGHER_CHECKER,
        "A checker stands further back ({points}), so this number must be played from there.",
        "Дальше от выхода стоит шашка ({points}): это число надо сыграть ею.",
    ),
    (
        Why.DIRECTION,
        "Checkers do not move backwards ({first} to {last}).",
        "Назад ходить нельзя (с {first} на {last}).",
    ),
    (
        Why.MORE_DICE,
        "More of the roll can be played: {used} of {must} moves were made.",
        "Бросок надо использовать полнее: сделано ходов {used} из {must}.",
    ),
    (
        Why.MUST_PLAY,
        "Nothing was played, but the roll can be: moves possible, {must}.",
        "Ничего не сыграно, а ход есть: возможно ходов — {must}.",
    ),
    (Why.NO_CHECKER, "There is no checker on {points}.", "На {points} нет шашки."),
    ("nothing_on_bar", "There is no checker on the bar.", "На борту нет шашки."),
    (
        Why.HEAD,
        "Only one checker may leave the head in a turn.",
        "С головы за ход можно снять только одну шашку.",
    ),
    (
        Why.SIX_PRIME,
        "Six points in a row ({points}) shut in every opposing checker.",
        "Шесть занятых подряд полей ({points}) запирают все шашки соперника.",
    ),
    (
        Why.BACK_WITHOUT_EATING,
        "Going back is only for eating, and nothing stands on {last}.",
        "Назад можно только съедая, а на {last} никого нет.",
    ),
    (
        Why.NO_BEARING_OFF,
        "Checkers are not borne off in this game.",
        "В этой игре шашки с доски не выводят.",
    ),
    (
        Why.TABLE_CHANGED,
        "The table after it is not what the roll can leave ({points}).",
        "Такой позиции этот бросок дать не может ({points}).",
    ),
    (
        Why.IMPOSSIBLE_ROLL,
        "{dice} is no roll of this game.",
        "{dice} — такого броска в этой игре нет.",
    ),
    (
        Why.AFTER_THE_END,
        "The game was over already.",
        "Партия уже была окончена.",
    ),
    (
        Why.SAID_SO,
        "The record says that this play was illegal, not which it was.",
        "В записи сказано, что ход неправильный, но не сказано какой.",
    ),
    (
        Why.CONTRADICTED,
        "Legal by itself, but turn {turn} cannot be played after it.",
        "Само по себе возможно, но тогда нельзя сыграть запись {turn}.",
    ),
    (Mend.LATIN_1, "not UTF-8: read as Latin-1", "не UTF-8: прочитано как Latin-1"),
    (Mend.DAMAGED_NUMBER, "damaged number read: {text}", "повреждённое число прочитано: {text}"),
    (Mend.NOT_STARRED, "hits without a star: {text}", "взятий без звёздочки: {text}"),
    (Mend.STAR_WITHOUT_HIT, "stars without a hit: {text}", "звёздочек без взятия: {text}"),
    (Mend.UNKNOWN_PLAY, "nobody wrote down the play of {text}", "ход на {text} не записан"),
    (
        Mend.GAVE_UP,
        "{text} was not played: the other side won on it",
        "{text} не сыграно: соперник на этом выиграл",
    ),
    (
        Mend.COLUMNS_SWAPPED,
        "game {text}: the players changed columns",
        "партия {text}: игроки поменялись столбцами",
    ),
    (
        Mend.HALF_GAME,
        "game {text} was begun twice: the broken-off beginning is left out",
        "партия {text} начата дважды: оборванное начало отброшено",
    ),
    (Mend.IGNORED, "left out: {text}", "пропущено: {text}"),
    (Mend.WRONG_WIN, "{text} points cannot be won in one game", "{text} очков за партию выиграть нельзя"),
    (
        Mend.NO_LENGTH,
        "no match length: taken as money play",
        "длина матча не указана: считаем, что игра на деньги",
    ),
    (
        Mend.UNKNOWN_VARIATION,
        "unknown variation {text}: read as backgammon",
        "неизвестная разновидность {text}: прочитано как backgammon",
    ),
    ("at_line", "line {line}: {text}", "строка {line}: {text}"),
    (f"lost_{Lost.NOTE}", "the note «{text}»", "заметка «{text}»"),
    (f"lost_{Lost.CUBE}", "«{text}», which is no move", "«{text}»: это не ход"),
    (f"lost_{Lost.UNKNOWN}", "that the play is unknown", "что ход неизвестен"),
    (f"lost_{Lost.DICE_ORDER}", "the order of the dice", "порядок костей"),
    (f"lost_{Lost.CRAWFORD}", "that this was the Crawford game", "что это была партия Кроуфорда"),
    (
        f"lost_{Lost.SCORE}",
        "a score that does not follow from the games",
        "счёт, который не следует из партий",
    ),
    (
        f"lost_{Lost.TABLE}",
        "the table after an illegal play, which its moves do not tell",
        "позиция после неправильного хода, не следующая из него",
    ),
    (f"lost_{Lost.START}", "its own starting position", "особая начальная позиция"),
    (f"lost_{Lost.TIMES}", "the times in the video", "время ходов на видео"),
    ("at_turn", "game {game}, turn {turn}: {text}", "партия {game}, запись {turn}: {text}"),
    ("at_game", "game {game}: {text}", "партия {game}: {text}"),
    (Trouble.LENGTH, "a position has 26 places, not {found}", "в позиции 26 мест, а не {found}"),
    (Trouble.BAR_SIGN, "the bar of {side} holds the wrong side's checkers", "на борту {side} чужие шашки"),
    (
        Trouble.OFF_SIGN,
        "{found} checkers borne off by {side} cannot be",
        "выведено {found} шашек {side}: так быть не может",
    ),
    (Trouble.TOO_MANY, "{found} checkers of {side} are too many", "{found} шашек {side} — слишком много"),
    (Trouble.MISSING, "only {found} checkers of {side}", "шашек {side} только {found}"),
    (Trouble.BOTH_OFF, "both sides have borne off everything", "обе стороны вывели все шашки"),
    ("side_0", "the mover", "ходящего"),
    ("side_1", "the opponent", "соперника"),
    ("light", "White", "Белые"),
    ("dark", "Black", "Чёрные"),
    (
        "checked",
        "{file}: games {games}, rolls {rolls}, illegal plays {illegal}",
        "{file}: партий {games}, бросков {rolls}, неправильных ходов {illegal}",
    ),
    (
        "total",
        "files {files}, games {games}, rolls {rolls}, illegal plays {illegal}",
        "файлов {files}, партий {games}, бросков {rolls}, неправильных ходов {illegal}",
    ),
    (
        "fault",
        "game {game}, turn {turn}, {side} {roll}: {played}",
        "партия {game}, ход {turn}, {side} {roll}: {played}",
    ),
    ("nearest", "legal and nearest: {plays}", "правильно и ближе всего: {plays}"),
    ("reading", "the rest of the game fits: {play}", "остальной партии отвечает: {play}"),
    ("stood", "the rest of the game fits it as it is written", "остальная партия идёт от записанного"),
    ("repaired", "put right: {text}", "исправлено: {text}"),
    ("nothing_played", "nothing", "ничего"),
    ("left_out", "left out: {text}", "не записано: {text}"),
    (
        "undirected",
        "{video}: the plays do not tell the board's direction: check it, or give --position as an XGID",
        "{video}: по ходам не видно, в какую сторону идёт игра; проверьте запись или задайте --position XGID",
    ),
    (
        "restless",
        "{video}: hardly anything lies still; for a time lapse give --lapse (seconds between two pictures)",
        "{video}: почти всё движется; для ускоренной съёмки задайте --lapse (секунд между кадрами)",
    ),
    ("written", "{file} is written, games {games}", "записан {file}: партий {games}"),
    ("reading_files", "Checking", "Проверка"),
)

TEXTS: dict[str, dict[str, str]] = {
    "en": {key: english for key, english, _ in (*_ROWS, *REPORT_ROWS)},
    "ru": {key: russian for key, _, russian in (*_ROWS, *REPORT_ROWS)},
}
