"""Translation of PokerStars histories from other languages into English, line by line.

Names are not translated: every pattern is anchored to an end of the line, or stands between a name and an amount.
"""

from __future__ import annotations

from collections.abc import Sequence

from pokermodel._support.patterns import regex
from pokermodel.histories._words import MONEY

__all__ = ["FOREIGN", "LANGUAGES", "in_english"]

#: The first line of a hand in any language.
FOREIGN = r"(?:\w{1,20} PokerStars(?: Zoom)?|PokerStars \w+) (?:#|№|[Nn][°ºo.]) ?[0-9]+ ?:"

_M = rf"({MONEY})"
_RULES = {
    "Portuguese": (
        (r"Mão PokerStars( Zoom)? #([0-9]+):\s*(?:Torneio\b)(.*)", r"PokerStars\1 Hand #\2: Tournament\3"),
        (r"Mão PokerStars( Zoom)? #([0-9]+):(.*)", r"PokerStars\1 Hand #\2:\3"),
        (r"Mesa ('.*' .*)Lugar #([0-9]+) é o botão", r"Table \1Seat #\2 is the button"),
        (rf"Lugar ([0-9]+): (.+) \({_M},? em fichas\)(.*)", r"Seat \1: \2 (\3 in chips)\4"),
        (rf"(.+): coloca ante {_M}(.*)", r"\1: posts the ante \2\3"),
        (rf"(.+): paga o (small|big) blind {_M}(.*)", r"\1: posts \2 blind \3\4"),
        (r"\*\*\* CARTAS DA MÃO \*\*\*", "*** HOLE CARDS ***"),
        (r"\*\*\* SUMÁRIO \*\*\*", "*** SUMMARY ***"),
        (r"(.+) recebe (\[.*\])", r"Dealt to \1 \2"),
        (r"(.+): desiste(.*)", r"\1: folds\2"),
        (r"(.+): passa", r"\1: checks"),
        (rf"(.+): iguala {_M}(.*)", r"\1: calls \2\3"),
        (rf"(.+): aposta {_M}(.*)", r"\1: bets \2\3"),
        (rf"(.+): aumenta {_M} para {_M}(.*)", r"\1: raises \2 to \3\4"),
        (r"(.+): mostra (\[.*\].*)", r"\1: shows \2"),
        (rf"Aposta não-igualada \({_M}\) voltou para (.+)", r"Uncalled bet (\1) returned to \2"),
        (rf"(.+) recebeu {_M} do pote.*", r"\1 collected \2 from pot"),
        (rf"Total pote {_M}.*\| comissão {_M}", r"Total pot \1 | Rake \2"),
        (r"Mesa (\[.*\])", r"Board \1"),
        (r"Lugar ([0-9]+): (.+) mostrou (\[[^\]]*\].*)", r"Seat \1: \2 showed \3"),
    ),
    "Russian": (
        (r"Раздача PokerStars( Zoom)? №([0-9]+):(.*)Холдем Лимит\w*(.*)", r"PokerStars\1 Hand #\2:\3Hold'em Limit\4"),
        (r"Раздача PokerStars( Zoom)? №([0-9]+):(.*)", r"PokerStars\1 Hand #\2:\3"),
        (r"Стол ('.*' .*)Баттон на месте №([0-9]+)", r"Table \1Seat #\2 is the button"),
        (rf"Место ([0-9]+): (.+) \({_M} фишек\)(.*)", r"Seat \1: \2 (\3 in chips)\4"),
        (rf"(.+): ставит малый блайнд {_M}(.*)", r"\1: posts small blind \2\3"),
        (rf"(.+): ставит большой блайнд {_M}(.*)", r"\1: posts big blind \2\3"),
        (r"\*\*\* ЗАКРЫТЫЕ КАРТЫ \*\*\*", "*** HOLE CARDS ***"),
        (r"\*\*\* ФЛОП \*\*\* (.*)", r"*** FLOP *** \1"),
        (r"\*\*\* ТЕРН \*\*\* (.*)", r"*** TURN *** \1"),
        (r"\*\*\* РИВЕР \*\*\* (.*)", r"*** RIVER *** \1"),
        (r"\*\*\* ИТОГ \*\*\*", "*** SUMMARY ***"),
        (r"Карты (.+) (\[.*\])", r"Dealt to \1 \2"),
        (r"(.+): делает фолд(.*)", r"\1: folds\2"),
        (r"(.+): делает чек", r"\1: checks"),
        (rf"(.+): делает колл {_M}(.*)", r"\1: calls \2\3"),
        (rf"(.+): делает бет {_M}(.*)", r"\1: bets \2\3"),
        (rf"(.+): делает рейз {_M} {_M}(.*)", r"\1: raises \2 to \3\4"),
        (r"(.+): открывает (\[.*\].*)", r"\1: shows \2"),
        (rf"Неуравненная ставка \({_M}\) возвращается игроку (.+)", r"Uncalled bet (\1) returned to \2"),
        (rf"(.+) получил {_M} \(.*", r"\1 collected \2 from pot"),
        (rf"Общий банк {_M}.*\| Доля {_M}", r"Total pot \1 | Rake \2"),
        (r"Борд (\[.*\])", r"Board \1"),
        (r"Место ([0-9]+): (.+) открыл (\[[^\]]*\].*)", r"Seat \1: \2 showed \3"),
    ),
}
#: Patterns and their translations, by language.
LANGUAGES = {name: [(regex(rule), english) for rule, english in rules] for name, rules in _RULES.items()}
_FIRST = {name: rules[1][0] for name, rules in LANGUAGES.items()}  # the first line of any hand


def in_english(lines: Sequence[str]) -> Sequence[str]:
    """Translate a hand.

    Returns
    -------
    sequence of str
        The same lines, translated if the first one is of a language that is known.
    """
    language = next((name for name, first in _FIRST.items() if first.match(lines[0])), None)
    return lines if language is None else [_translated(line, language) for line in lines]


def _translated(line: str, language: str) -> str:
    for rule, english in LANGUAGES[language]:
        if found := rule.fullmatch(line):
            return found.expand(english)
    return line
