"""Hands, readings and results as HTML, for notebooks.

Each function writes one ``<div>`` with inline styles only. It takes its colours from the page around it, dark or light,
except for the cells of heat maps, which have letters of their own. Text from outside is shown as it is, and nothing is
fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby

from pokermodel._support.forms import makes
from pokermodel._support.words import counted
from pokermodel.analysis.solution import solved_node
from pokermodel.analysis.step import Step
from pokermodel.cards import CARDS
from pokermodel.game import ROUNDS, Decision, Hand, position_names
from pokermodel.histories import hand_row
from pokermodel.learning.profile import Profile, Sizes
from pokermodel.reading.expectation import Observation
from pokermodel.report.grid import count_grid
from pokermodel.report.html import grid_figure, heat_map
from pokermodel.report.markup import markup, name_markup
from pokermodel.report.player import size_cells, statistic_cells
from pokermodel.report.scores import reason_lines, score_cells, scored_hands
from pokermodel.report.strategy import strategy_figure
from pokermodel.report.words import effort_words, said_of
from pokermodel.scoring.walk import Scores
from pokermodel.solving import Solution
from pokermodel.worth.worth import Verdict

__all__ = [
    "ACT_NAMES",
    "DIM",
    "hand_html",
    "html_block",
    "html_line",
    "html_table",
    "observation_html",
    "profile_html",
    "scores_html",
    "solution_html",
    "verdict_html",
]

_CELL = "padding:2px 8px;border:0;background:none;color:inherit;vertical-align:top"
_HEAD = f"{_CELL};border-bottom:1px solid rgba(128,128,128,.6)"
DIM = "opacity:.75"
_SIGNS = str.maketrans("cdhs", "♣♦♥♠")
ACT_NAMES = (("fold", "fold"), ("call", "check or call"), ("raise", "bet or raise"))


def html_block(*parts: str) -> str:
    """Write the ``<div>`` of a value."""
    body = "\n".join(part for part in parts if part)
    return f'<div style="font:13px/1.5 sans-serif;max-width:100%;overflow-x:auto">\n{body}\n</div>'


def html_line(content: str, style: str = "") -> str:
    """Write a line of HTML."""
    return f'<div style="{style}">{content}</div>' if style else f"<div>{content}</div>"


def _cell(tag: str, content: str, style: str, left: bool) -> str:
    return f'<{tag} style="{style};text-align:{"left" if left else "right"}">{content}</{tag}>'


def html_table(headers: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Write a table of cells that are HTML already; `left` are the columns that are not aligned to the right."""
    head = "".join(_cell("th", name, _HEAD, k in left) for k, name in enumerate(headers))
    lines = [f'<tr style="background:none">{head}</tr>']
    for row in rows:
        cells = "".join(_cell("td", content, _CELL, k in left) for k, content in enumerate(row))
        lines.append(f'<tr style="background:none">{cells}</tr>')
    return (
        '<table style="border-collapse:collapse;border:0;margin:4px 0;width:auto">\n' + "\n".join(lines) + "\n</table>"
    )


def _unbroken(content: str) -> str:
    return f'<span style="white-space:nowrap">{content}</span>'


def _cards(cards: Iterable[int]) -> str:
    """Cards with the signs of their suits, in one line."""
    return _unbroken(" ".join(CARDS[card].translate(_SIGNS) for card in cards))


def _beside(*figures: str) -> str:
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px 24px;margin:4px 0">{"".join(figures)}</div>'


@makes("html", Hand)
def hand_html(hand: Hand) -> str:
    """Write a hand: who sat where with what, what was done in each betting round, and who won.

    A hand that breaks the rules is written as far as it goes, with the reason.
    """
    trouble = ""
    result: Sequence[float] | None = None
    try:
        result = hand_row(1, hand)["net"]
    except ValueError as error:
        trouble = html_line(f"no result: {markup(str(error))}", DIM)
    game = f"{str(hand.spec.structure).replace(' ', '-')} hold'em {hand.stake}"
    time = "" if hand.time is None else f", {hand.time:%Y-%m-%d %H:%M}"
    table = "" if hand.table is None else f", table {hand.table}"
    where = position_names(hand.spec)
    seats = []
    for seat, name in enumerate(hand.players):
        stack = None if hand.stacks is None else hand.stacks[seat]
        cards = hand.holdings.get(seat)
        seats.append(
            (
                name_markup(name),
                where[seat],
                "" if stack is None else f"{float(stack * hand.unit):,.12g}",
                "" if cards is None else _cards(cards),
                "" if result is None else f"{result[seat]:+,.12g}",
            )
        )
    return html_block(
        html_line(f"<b>{markup(hand.source.upper())} hand {name_markup(hand.id)}</b>: {markup(game + table + time)}"),
        html_table(("player", "position", "stack", "cards", "result"), seats, left=(0, 1, 3)),
        html_table(("round", "board", "actions"), _rounds(hand), left=(0, 1, 2)),
        html_line(f"second board {_cards(hand.second_board)}") if hand.second_board else "",
        html_line(f"third board {_cards(hand.third_board)}") if hand.third_board else "",
        trouble,
    )


def _rounds(hand: Hand) -> list[tuple[str, str, str]]:
    """A row for each betting round of a hand, as far as it can be replayed, and one for cards that came after them."""
    done: list[Decision] = []
    with suppress(ValueError):  # the line below the table says what is wrong
        done.extend(hand.replay())
    rows = []
    board: tuple[int, ...] = ()
    for number, decisions in groupby(done, key=lambda decision: decision.round):
        actions = []
        for decision in decisions:
            put_in = f" {float(decision.put_in * hand.unit):,.12g}" if decision.put_in else ""
            actions.append(f"{name_markup(decision.player)} {decision.name}s{put_in}")
            board = decision.board
        rows.append((_unbroken(ROUNDS[number]), _cards(board), ", ".join(actions)))
    if len(hand.board) > len(board):
        rows.append(("", _cards(hand.board), ""))
    return rows


@makes("html", Observation)
def observation_html(observation: Observation) -> str:
    """Write what a reader made of an act: the facts, the player's weights after it, and how it changed them."""
    decision = observation.decision
    put_in = f" {decision.put_in:,}" if decision.put_in else ""
    asked = f", {decision.to_call:,} to call" if decision.to_call else ""
    board = f" on {_cards(decision.board)}" if decision.board else ""
    step = Step(observation)
    lines = [html_line(markup(line)) for _, line in said_of(step.facts, step.observation.decision)]
    maps = [heat_map(step.after, title="after the action")]
    if observation.reweighted:
        maps.append(heat_map(step.after, previous=step.before, title="change"))
    return html_block(
        html_line(
            f"<b>{name_markup(decision.player)} {decision.name}s{put_in}</b>{board} (pot {decision.pot:,}{asked})"
        ),
        *lines,
        _beside(*maps),
    )


@makes("html", Profile)
def profile_html(profile: Profile) -> str:
    """Write what is known of a player: statistics with 95% intervals, sizes of bets, and classes that were shown."""
    rows = []
    for statistic in profile.statistics.values():
        name, value, interval, made = map(markup, statistic_cells(statistic))
        rows.append((name, value, interval, made, f'<span style="{DIM}">{markup(statistic.meaning)}</span>'))
    shown = profile.totals.showdowns
    total = int(shown.sum())
    of = "" if profile.structure.fixed else f" of {profile.structure}"
    return html_block(
        html_line(f"<b>{name_markup(profile.name)}</b>: {counted(profile.hands, 'hand')}{of}"),
        html_table(("", "value", "95% interval", "made of", ""), rows, left=(0, 4)),
        _sizes([each for each in profile.sizes.values() if each.all_in.denominator]),
        grid_figure(count_grid(shown), title=f"{counted(total, 'holding')} shown")
        if total
        else html_line("no holding shown"),
    )


def _sizes(sizes: Sequence[Sizes]) -> str:
    if not sizes:
        return ""
    rows = [tuple(map(markup, size_cells(each))) for each in sizes]
    return html_table(("size", "median", "95% interval", "bets", "all-in"), rows)


@makes("html", Verdict)
def verdict_html(verdict: Verdict) -> str:
    """Write a verdict: what is best, then what each act is worth and loses, with the error and how it was found.

    A verdict knows no names of acts at the table and no structure: sizes are chips, and values are in its unit.
    """
    best, rows = verdict.best, []
    for each in verdict.acts:
        name = dict(ACT_NAMES)[each.act.name.lower()] + ("" if each.to is None else f" to {each.to:,}")
        if not each.seen:
            rows.append([name, "not known", "", "", ""])
            continue
        judged, lost = verdict.judge(each.act, each.to), "best"
        if each is not best:
            close = ", cannot tell" if judged.word == "cannot tell" else ""
            lost = f"{judged.loss:.2f} \u00b1 {judged.loss_error:.2f}{close}"
        cells = [name, f"{each.ev:+.2f}", f"\u00b1 {each.error:.2f}", lost, each.method]
        rows.append([f"<b>{cell}</b>" for cell in cells] if each is best else cells)
    said = dict(ACT_NAMES)[best.act.name.lower()] + ("" if best.to is None else f" to {best.to:,}")
    share = f"{verdict.equity:.1%} of the pot is won if nobody bets any more"
    needed = f"; a call needs {verdict.needed:.1%}" if verdict.needed else ""
    known = (
        ""
        if all(each.seen for each in verdict.acts)
        else ("not known: nobody has been seen to answer at the price that this leaves; ")
    )
    return html_block(
        html_line(f"Best: <b>{said}</b>, {best.ev:+.2f} \u00b1 {best.error:.2f}. {share}{needed}."),
        html_table(["act", "EV", "error", "lost", "method"], rows, (0, 4)),
        html_line(f"{known}values are in units of {verdict.unit:g} chips, from the decision on", DIM),
    )


@makes("html", Solution)
def solution_html(solution: Solution) -> str:
    """Write a solution: what each player gets, what the first one does with which hands, and both ranges."""
    found = solution.summary()
    root = solved_node(solution)
    first = ("out of position", "in position")[root.player or 0]
    values = zip(("out of position", "in position"), found["ev"], strict=True)
    rows = []
    for act in found["root"]:
        to = "" if act["to"] is None else f" {act['to']:g}"
        rows.append((f"{act['act']}{to}", f"{act['frequency']:.1%}", "" if act["ev"] is None else f"{act['ev']:.4g}"))
    cost = f"{counted(found['iterations'], 'iteration')}, {effort_words(found['seconds'], found['memory'])}"
    return html_block(
        html_line(
            f"{_cards(solution.subgame.cards)}, pot {solution.subgame.pot:g}, {markup(str(solution.subgame.structure))}"
        ),
        html_line(f"exploitable by <b>{found['exploitability']:.3g}%</b> of the pot ({cost})"),
        html_table(("player", "EV"), [(who, f"{value:.4g}") for who, value in values]),
        html_table((first, "how often", "EV"), rows),
        _beside(
            strategy_figure(root, title=f"{first}: strategy"),
            heat_map(solution.subgame.ranges[0], title="out of position"),
            heat_map(solution.subgame.ranges[1], title="in position"),
        ),
    )


@makes("html", Scores)
def scores_html(scores: Scores) -> str:
    """Write how well readers did, a row for each."""
    models = scores.to_dict()["models"]
    headers = ("model", "decisions", "log-loss", "right", "off by", "holdings", "bits gained")
    rows = [[name_markup(each["model"]), *map(markup, score_cells(each))] for each in models]
    sized = [each for each in models if "sizes" in each]
    sizes = [
        (name_markup(each["model"]), f"{each['total_log_loss']:.3f}", f"{each['uniform_total_log_loss']:.3f}")
        for each in sized
    ]
    return html_block(
        html_line(markup(scored_hands(scores))),
        *(html_line(markup(line)) for line in reason_lines(models)),
        html_table(headers, rows),
        html_table(("where bets have sizes", "total log-loss", "of a guess"), sizes) if sizes else "",
    )
