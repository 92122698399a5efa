"""The command ``pokermodel read``, as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

import pokermodel as pm
from pokermodel._support.words import printable
from pokermodel.analysis.hand import HandReport
from pokermodel.cli.main import cli, main
from pokermodel.histories import phh
from pokermodel.report.profile import print_players, print_profile
from pokermodel.report.terminal import print_report
from tests.common.patience import PATIENCE

EXAMPLE = Path(pm.__file__).parent / "data" / "example.phh"


def run(*args, **env):
    """Run the command as a user does, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pokermodel", *map(str, args)],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120", **env},
        check=False,
        timeout=PATIENCE,
    )


def here(*args):
    """Run the command in this process, into pipes, which takes no start of Python."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", "120")
        with pytest.raises(SystemExit) as left:
            main([*map(str, args)])
    return subprocess.CompletedProcess(args, left.value.code, out.getvalue(), err.getvalue())


def fails_cleanly(result, *words):
    assert result.returncode == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert len(lines) == 1, result.stderr
    for word in words:
        assert word in lines[0], lines[0]


def test_the_example():
    result = run("read", "--maps")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "\x1b" not in result.stdout  # no colours into a pipe
    for text in ("Pre-flop", "Flop  Th 7h 2c", "Turn", "River", "x chance, rank", "held 9h8h", "Result"):
        assert text in result.stdout
    assert not re.search(r"\b(bits|entropy|uncertain)\b", result.stdout)  # these belong to `score`
    assert "a raise: each weight is multiplied by the probability of" in result.stdout
    assert re.search(r"a raise is \d+(\.\d)? times likelier with one of the best \d+% of", result.stdout)
    assert "mu" not in result.stdout.split()
    assert max(map(len, result.stdout.splitlines())) <= 120


def test_loki1_says_its_thresholds():
    text = words_of("--model", "loki1", COLUMNS="120")
    for words in ("mu", "sigma", "held 9h8h"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 120


def brief(*args, columns=None):
    """What the command prints into a pipe without maps, in this process."""
    env = {"COLUMNS": columns}
    result = CliRunner().invoke(cli, ["read", *map(str, args)], catch_exceptions=False, env=env)
    assert result.exit_code == 0, result.output
    return result.stdout


#: An act of the flop or the turn, and the range that it leaves: eight groups of hands.
FLOP = r" *(\d+) (\S+ \w+(?: to)?(?: \d+)?) {2,}(\d+) +(?:(\d+) +)?(\d+)% +(\d+)((?: +(?:\d+|\u00b7)){8})$"


def test_an_act_is_a_line():
    """Who, what, pot and price; how wide a range it leaves, what is likeliest in it, and what that makes."""
    text = brief()
    assert "entropy" not in text
    acts = re.findall(r"^ ?\d+ (\S+ \S+)", text, re.MULTILINE)
    steps = read_json()["steps"]
    assert acts == [f"{step['player']} {step['action']}s" for step in steps]
    (line,) = re.findall(r"^ 4 Farid raises.*$", text, re.MULTILINE)
    form = r" 4 Farid raises to 30 +55 \(5\.5 sb\) +20 +\d+% of hands · \d+ combos, most like( [AKQJT98765432]{2}){8}"
    assert re.fullmatch(form, line)
    assert re.fullmatch(r" 2 Dmitri folds +35 \(3\.5 sb\) +20", re.findall(r"^ 2 Dmitri.*$", text, re.MULTILINE)[0])
    groups = "set\\+ +two pair +overpair +top pair +lower pair +flush draw +straight draw +air"
    assert re.search(f"Flop  Th 7h 2c .*here +combos +{groups} +all", text)
    assert re.search(r"^River .*here +combos +full house\+ +flush +straight +three of a kind", text, re.MULTILINE)
    assert "Boris  JcTc  -130 (-13 sb)" in text
    assert re.search(r"the last range has it at \d+ x chance", text)


def test_shares_of_a_line_are_those_of_json():
    lines = re.findall(f"^{FLOP}", brief(columns="80"), re.MULTILINE)
    steps = {step["index"] + 1: step for step in read_json()["steps"] if step["round"] in ("flop", "turn")}
    assert {int(number) for number, *_ in lines} == {k for k, step in steps.items() if step["action"] != "fold"}
    for number, _, pot, call, here, combos, shares in lines:
        step = steps[int(number)]
        made = step["composition"]
        expected = [
            sum(made.get(name, 0) for name in ("full house or better", "flush", "straight", "three of a kind")),
            *(made.get(name, 0) for name in ("two pair", "overpair", "top pair")),
            made.get("middle pair", 0) + made.get("low pair", 0),
            made.get("flush draw", 0),
            made.get("open-ender", 0) + made.get("gutshot", 0),
            sum(made.get(name, 0) for name in ("two overcards", "ace high", "nothing")),
        ]
        assert [int(each.replace("\u00b7", "0")) for each in shares.split()] == [round(100 * x) for x in expected]
        assert sum(expected) == pytest.approx(1)
        assert (int(pot), int(call or 0)) == (step["pot"], step["to_call"])
        assert (int(here), int(combos)) == (round(100 * step["share_here"]), round(step["combos"]))
        assert 0.0 < step["share"] < step["share_here"] <= 1.0


def test_two_screens_are_enough():
    """Of 24 lines and 80 columns each: for the hand that ships with the package."""
    text = brief(columns="80")
    assert len(text.splitlines()) < 48
    assert text.count("a line hardly anyone takes: a guess") == 3
    assert brief(columns="160").count("a line hardly anyone takes: the range is a guess") == 3
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("hero", [None, "Eve"])
@pytest.mark.parametrize("long", [False, True])
def test_no_line_is_longer_than_the_screen(tmp_path, hero, long):
    """Names are cut where there is little room; where there is none for a row, ranges stand below the acts."""
    path = tmp_path / "hand.phh"
    path.write_text(
        EXAMPLE.read_text().replace("Boris", "Boris the Blade, so long a name") if long else EXAMPLE.read_text()
    )
    report = pm.read_hand(next(iter(pm.open_hands(path))), hero=hero)
    for columns in (40, 60, 80, 100, 120, 160):
        written = io.StringIO()
        print_report(report, Console(file=written, width=columns))
        text = written.getvalue()
        assert max(map(len, text.splitlines())) <= columns
        assert "13 Bor" in text
        assert ("raises to 20" in text) or columns < 60
        assert text.count("combos, most like") >= 5 or columns < 60
    shown = brief(path, *(["--hero", hero] if hero else []), columns="60")
    assert 50 < max(map(len, shown.splitlines())) <= 60


def test_a_terminal(tmp_path):
    """On a screen of 24 lines and 80 columns, in colour: as into a pipe, and nothing is longer than the screen."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "pokermodel", "read"],
        stdin=slave, stdout=slave, stderr=slave, close_fds=True, env={**env, "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert b"\x1b[" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r\n", "\n")
    assert [line.rstrip() for line in plain.splitlines()] == brief(columns="80").splitlines()


def test_at_my_decision_the_others_ranges_and_the_price():
    text = brief("--hero", "Eve")
    _, _, mine = text.partition("\n 8 Eve calls 10")
    mine, _, _ = mine.partition("\nFlop")
    first, price, *others, advice = mine.splitlines()
    assert re.fullmatch(r" +115 \(11\.5 sb\) +10", first)
    assert re.fullmatch(r"     Eve needs 8\.0% of the pot to call; has \d\d\.\d% against those who continue", price)
    assert [re.match(r"     (\w+) +\d+% of hands · \d+ combos, most like", line)[1] for line in others] == [
        "Boris",
        "Carmen",
        "Farid",
    ]
    assert re.match(r"     [A-Z][a-z ]+: (fold|call|rais)", advice)
    opened = text.partition("\n 3 Eve calls 20")[2].partition("\n 4 ")[0]
    assert "Carmen" in opened
    assert not any(name in opened for name in ("Ada", "Boris", "Farid"))  # they have not acted yet
    river = text.partition("\n26 Eve raises to 40")[2].partition("\n27 ")[0]
    assert re.search(r"^     Farid +\d+% +\d+( +(\d+|\u00b7)){9}", river, re.MULTILINE)
    report = read_json("--hero", "Eve")["steps"][25]
    assert [each["player"] for each in report["opponents"]] == ["Boris", "Farid"]
    assert all(sum(each["composition"].values()) == pytest.approx(1) for each in report["opponents"])


def test_maps_are_for_the_terminal():
    fails_cleanly(here("read", "--maps", "--json"), "--maps is for the terminal")


def words_of(*args, **env):
    """What the command prints into a pipe with maps, in this process."""
    env = {"COLUMNS": None, **env}
    result = CliRunner().invoke(cli, ["read", "--maps", *map(str, args)], catch_exceptions=False, env=env)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_raise_is_told_by_what_it_goes_to():
    """As at the table: "calls 20", "bets 10", "raises to 30", in chips of the round."""
    text = words_of()
    for words in ("Carmen raises to 20 ", "Eve calls 20 ", "Farid raises to 30 ", "Ada folds ", "Farid bets 10 "):
        assert words in text
    hand = pm.example_hand()
    steps = read_json()["steps"]
    for step, decision in zip(steps, hand.replay(), strict=True):
        assert (step["put_in"], step["to"]) == (decision.put_in, decision.to)
    assert [(step["put_in"], step["to"]) for step in steps[:4]] == [(20, 20), (0, None), (20, None), (30, 30)]
    again = [step for step in steps if step["action"] == "raise" and step["to"] != step["put_in"]]
    assert all(step["to"] > step["put_in"] for step in again)
    assert again, "somebody raises who has chips in the round already"


def test_loki2_says_that_it_reads_as_loki1_before_the_flop():
    before, _, after = words_of("--model", "loki2", "--hero", "Farid").partition("Flop  Th 7h 2c")
    assert "lose weight (before the flop, Loki-2 reads as Loki-1)" in before
    assert "In Farid's place, Loki-2, which plays as Loki-1 before the flop, would raise" in before
    assert "Loki-1" not in after
    assert "Loki-2" not in words_of()
    assert "reads as Loki-1" not in words_of("--model", "loki2?preflop=product")


def test_the_heading_says_how_to_read_the_maps():
    """By colours, by numbers or by digits, whichever they are drawn in."""
    head = words_of().partition("Pre-flop")[0]
    assert "Number of a class: its mean weight in per cent of the largest in the table" in head
    narrow = words_of(COLUMNS="80").partition("Pre-flop")[0]
    assert "Digit of a class: its mean weight in tenths of the largest in the table" in narrow
    for depth in "truecolor", "256color":
        env = {"FORCE_COLOR": "1", "COLORTERM": depth, "TERM": f"xterm-{depth}"}
        colored = words_of(**env).partition("Pre-flop")[0]
        assert "Colour of a class: its mean weight, from 0 " in colored
        assert colored.count("\x1b[48") + colored.count(";48;") >= 16


def test_colours():
    forced = run("read", FORCE_COLOR="1", COLORTERM="truecolor", TERM="xterm-256color")
    assert "\x1b[" in forced.stdout
    assert "\x1b[" not in run("read", NO_COLOR="1").stdout


def test_a_reader_who_leaves():
    """As with ``pokermodel read | head -n 0``: nothing is said, nor is it a success."""
    theirs, ours = os.pipe()
    os.close(theirs)
    command = [sys.executable, "-m", "pokermodel", "read"]
    for arguments in (), ("--json",):
        result = subprocess.run(
            [*command, *arguments], stdout=ours, stderr=subprocess.PIPE, check=False, timeout=PATIENCE
        )
        assert result.returncode == 1
        assert result.stderr == b""
    os.close(ours)


def test_names_are_no_markup(tmp_path):
    """Brackets and colons are common in names."""
    path = tmp_path / "names.phh"
    text = EXAMPLE.read_text()
    for name, other in (("Ada", "jcc[6]"), ("Boris", "[/b]"), ("Carmen", ":smile:"), ("Dmitri", "[link=x]y")):
        text = text.replace(name, other)
    path.write_text(text)
    result = here("read", path)
    assert result.returncode == 0, result.stderr
    head, _, tail = result.stdout.partition("Result")
    for name in ("jcc[6]", "[/b]", ":smile:", "[link=x]y"):
        assert name in head.partition("Pre-flop")[0]
        assert name in tail


def test_amounts_are_in_the_money_of_the_source(tmp_path):
    hand = pm.example_hand()
    cents = pm.Hand(
        hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings,
        unit=Fraction(1, 100), currency="USD",
    )  # fmt: skip
    console = Console(width=120, record=True, file=io.StringIO())
    print_report(HandReport.of(cents, pm.OpponentModeler()), console)
    text = console.export_text()
    assert "limit hold'em 0.10-0.20 USD" in text
    assert re.search(r"Carmen raises to 0\.20 +0\.15 \(1\.5 sb\) +0\.10 ", text)
    for payoff in hand.payoffs:
        assert f" {payoff / 100:+.2f} ({payoff / 10:+.4g} sb)" in text or payoff == 0
    report = HandReport.of(cents, pm.OpponentModeler()).to_dict()
    assert (report["chip"], report["currency"], report["small_bet"]) == (0.01, "USD", 10)


@pytest.mark.parametrize("width", [40, 80])
def test_figures_outlast_a_narrow_terminal(tmp_path, width):
    hand = pm.example_hand()
    long = [f"{name} who has a name far too long" for name in hand.players]
    names = pm.Hand(hand.source, hand.id, hand.spec, long, hand.actions, hand.board, hand.holdings)
    book = pm.Book(tmp_path / "book")
    book.learn([names])
    profiles = list(map(book.profile, book))
    console = Console(width=width, record=True, file=io.StringIO())
    print_players(1, profiles, console)
    print_profile(profiles[0], console)
    text = console.export_text()
    for key, statistic in profiles[0].statistics.items():
        assert statistic.name in text, key
    for profile in profiles:
        (row,) = (line for line in text.splitlines() if line.startswith(f" {profile.name[:7]}") and "hands" not in line)
        assert row.count("\u2026") == 1, "only the name is cut"
        assert f"{profile.statistics['small_bets'].value:+.3f}" in row
    book.close()


def test_an_encoding_that_lacks_characters_ends_nothing(tmp_path):
    path = tmp_path / "names.phh"
    path.write_text(EXAMPLE.read_text().replace("Ada", "Zoë Żak"), encoding="utf-8")
    result = run("read", path, PYTHONIOENCODING="ascii")
    assert result.returncode == 0, result.stderr
    assert "Zo\\xeb \\u017bak" in result.stdout


@pytest.mark.parametrize("model", ["adaptive", "loki1"])
def test_json(model):
    result = here("read", "--json", *([] if model == "adaptive" else ["--model", model]))
    report = json.loads(result.stdout)
    assert result.stderr == ""
    hand = pm.example_hand()
    assert [player["name"] for player in report["players"]] == list(hand.players)
    assert [player["payoff"] for player in report["players"]] == list(hand.payoffs)
    assert report["model"] == model
    modeler = pm.OpponentModeler(model)
    for decision, step in zip(hand.replay(), report["steps"], strict=True):
        observation = modeler.observe(decision)
        assert step["action"] == decision.name
        assert step["player"] == decision.player
        table = pm.WeightTable.from_text(step["range"])
        np.testing.assert_array_equal(table.values, observation.after.values)
        threshold = getattr(observation.detail, "threshold", None)
        assert (step["mu"] is None) == (threshold is None)
        if threshold is not None:
            assert step["mu"] == threshold.mu
            assert step["sigma"] == threshold.sigma
        if step["true_holding"]:
            index = pm.cards.holding_index(step["true_holding"]["holding"])
            assert step["true_holding"]["probability"] == pytest.approx(observation.after.probabilities()[index])
    assert {step["player"] for step in report["steps"] if step["true_holding"]} == {"Boris", "Eve", "Farid"}


def test_all_weights_on_request():
    plain, full = read_json(), read_json("--weights")
    session = pm.OpponentModeler()
    for decision, step in zip(pm.example_hand().replay(), full["steps"], strict=True):
        weights = step.pop("weights")
        assert weights == session.observe(decision).after.values.tolist()
        assert len(weights) == 1326
    assert full == plain
    assert "weights" not in plain["steps"][0]
    fails_cleanly(here("read", "--weights"), "--weights needs --json")


def test_advice_for_the_hero():
    report = json.loads(here("read", "--model", "loki1", "--hero", "Farid", "--json").stdout)
    advised = [step for step in report["steps"] if step["advice"]]
    assert {step["player"] for step in advised} == {"Farid"}
    assert advised[0]["advice"]["action"] == "raise"  # queens
    flop = next(step for step in advised if step["round"] == "flop")
    numbers = flop["advice"]
    assert numbers["ehs_optimistic"] == pytest.approx(numbers["hs"] + (1 - numbers["hs"]) * numbers["ppot"])
    assert "Loki-1 would" in here("read", "--model", "loki1", "--hero", "Farid").stdout


def test_the_specific_model_learns_from_earlier_hands(tmp_path):
    lines = EXAMPLE.read_text().replace("hand = 1", "").splitlines()
    body = "\n".join(line for line in lines if not line.startswith("#"))
    path = tmp_path / "two.phhs"
    path.write_text(f"[1]\n{body}\n[2]\n{body}\n")
    first = json.loads(here("read", path, "--model", "som", "--json").stdout)
    second = json.loads(here("read", path, "--model", "som", "--hand", "2", "--json").stdout)
    generic = json.loads(here("read", path, "--model", "loki1", "--hand", "2", "--json").stdout)
    frequencies = [report["steps"][0]["frequencies"] for report in (generic, first, second)]
    assert frequencies[0][2] < frequencies[1][2] < frequencies[2][2]  # he raised in both


def test_loki2():
    report = json.loads(here("read", "--model", "loki2", "--hero", "Farid", "--json").stdout)
    hand = pm.example_hand()
    modeler = pm.OpponentModeler("loki2", hero="Farid")
    modeler.start(hand.players)
    modeler.hold(hand.holdings[hand.players.index("Farid")])
    assert report["model"] == "loki2"
    for decision, step in zip(hand.replay(), report["steps"], strict=True):
        observation = modeler.observe(decision)
        table = pm.WeightTable.from_text(step["range"])
        np.testing.assert_allclose(table.values, observation.after.values, rtol=1e-12)
        assert (step["predicted"] is None) == (observation.expected is None)
        if observation.expected is not None:
            assert step["predicted"] == observation.expected.predicted.tolist()
            assert list(step["borders"].values()) == list(observation.expected.borders)
            assert step["mu"] is None
            if step["true_holding"]:
                index = pm.cards.holding_index(step["true_holding"]["holding"])
                assert step["true_holding"]["triple"] == observation.expected.triples[index].tolist()
    text = here("read", "--model", "loki2", "--hero", "Farid", "--maps").stdout
    for words in (
        "tables of the other players rule out Farid's cards",
        "a check: each weight is multiplied",
        "raises sometimes from 0.40, mostly from 0.60 (strength)",
        "predicted by the table: fold",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 120
    assert "compared with the tables, but not used in them" in here("read", "--model", "loki2").stdout


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """A file with 20 hands of two programs."""
    folder = tmp_path_factory.mktemp("match")
    pm.tables.tournament("loki1,call", 10, seed=1, export=folder)
    path = folder / "match.phhs"
    hands = list(pm.open_hands(folder))
    assert len(hands) == 20
    path.write_text("".join(f"[{k}]\n{phh.dumps(hand)}" for k, hand in enumerate(hands, 1)))
    return path


def read_json(*args):
    """What the command prints with ``--json``, in this process."""
    result = CliRunner().invoke(cli, ["read", *map(str, args), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def tables(report):
    return [pm.WeightTable.from_text(step["range"]).values for step in report["steps"]]


@pytest.mark.parametrize("model", ["loki1", "som", "loki2:contexts"])
def test_tables_are_corrected_by_the_hands_before(match, model):
    report = read_json(match, "--hand", 15, "--model", model)
    hands = list(pm.open_hands(match))
    session = pm.OpponentModeler(model, calibrated=True)
    for hand in hands[:14]:
        session.calibrate(hand)
        session.learn(hand, calibrate=False)
    observations = [session.observe(decision) for decision in hands[14].replay()]
    assert report["corrected"] is True
    assert report["calibration"]["hands"] == 14
    assert list(report["calibration"]["table_exponents"].values()) == session.calibration.table_exponents.tolist()
    for found, observation in zip(tables(report), observations, strict=True):
        np.testing.assert_allclose(found, observation.after.values, rtol=1e-12)
    raw = raw_tables(model, hands, 14)
    assert not any(np.array_equal(a, b) for a, b in zip(tables(report), raw, strict=True) if b.std())


def raw_tables(model, hands, number):
    """The tables of a hand without correction."""
    session = pm.OpponentModeler(model)
    for hand in hands[:number]:
        session.learn(hand)
    return [session.observe(decision).after.values for decision in hands[number].replay()]


@pytest.mark.parametrize("model", ["loki1", "som"])
def test_a_correction_can_be_left_out(match, model):
    report = read_json(match, "--hand", 15, "--model", f"{model}?calibrated=0")
    assert (report["corrected"], report["calibration"]) == (False, None)
    for found, expected in zip(tables(report), raw_tables(model, list(pm.open_hands(match)), 14), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_the_first_hand_of_a_file_has_nothing_to_correct_it(match):
    report = read_json(match, "--model", "loki1")
    assert (report["corrected"], report["calibration"]["hands"]) == (False, 0)
    for found, expected in zip(tables(report), raw_tables("loki1", list(pm.open_hands(match)), 0), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_the_latest_hands_correct(match, monkeypatch):
    """All of them are learnt by a reader of players."""
    monkeypatch.setattr("pokermodel.cli._reading._CORRECTING", 5)
    report = read_json(match, "--hand", 15, "--model", "som")
    session = pm.OpponentModeler("som", calibrated=True)
    hands = list(pm.open_hands(match))
    for k, hand in enumerate(hands[:14]):
        if k >= 9:
            session.calibrate(hand)
        session.learn(hand, calibrate=False)
    assert report["calibration"]["hands"] == 5
    for found, decision in zip(tables(report), hands[14].replay(), strict=True):
        np.testing.assert_allclose(found, session.observe(decision).after.values, rtol=1e-12)
    result = CliRunner().invoke(cli, ["read", str(match), "--hand", "21"])
    assert "there is no hand 21, the last hand is 20" in str(result.exception)


def test_a_book_is_not_changed_by_the_hands_that_correct(match, tmp_path):
    with pm.Book(tmp_path / "book") as book:
        book.learn(pm.open_hands(match), kinds=["statistics"])
        report = read_json(match, "--hand", 15, "--model", "som", "--book", tmp_path / "book")
        session = pm.OpponentModeler("som", book, calibrated=True)
        hands = list(pm.open_hands(match))
        for hand in hands[:14]:
            session.calibrate(hand)
        for found, decision in zip(tables(report), hands[14].replay(), strict=True):
            np.testing.assert_allclose(found, session.observe(decision).after.values, rtol=1e-12)


def test_the_report_says_whether_tables_are_corrected(match):
    def heading(*args):
        told = ["read", "--model", "loki1", *map(str, args)]  # of two options the last one counts
        result = CliRunner().invoke(cli, told, catch_exceptions=False, env={"COLUMNS": "200"})
        return result.stdout.partition("Pre-flop")[0]

    assert "Tables are corrected by 14 earlier hands: weights to the power of pre-flop" in heading(match, "--hand", 15)
    assert "Tables are not corrected, since there is no earlier hand to learn from" in heading(match)
    assert "corrected" not in heading(match, "--hand", 15, "--model", "loki1?calibrated=0")
    assert "corrected" not in heading(match, "--hand", 15, "--model", "bpp")
    assert "corrected" not in heading(match, "--hand", 15, "--model", "adaptive")
    session = pm.OpponentModeler("loki1", calibrated=True)
    hand = next(iter(pm.open_hands(match)))
    unseen = pm.Hand(hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board)
    session.calibrate(unseen)
    console = Console(width=200, record=True, file=io.StringIO())
    print_report(HandReport.of(hand, session), console)
    said = "Forecasts are corrected by 1 earlier hand, tables are not, since no holding was shown."
    assert said in console.export_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["read", "missing.phh"], ["missing.phh"]),
        (["read", EXAMPLE, "--hand", "2"], ["2"]),
        (["read", EXAMPLE, "--hand", "0"], ["--hand"]),
        (["read", "--hand", "2"], ["--hand"]),
        (["read", "--hero", "Zoe"], ["Zoe", "Ada"]),
        (["read", "--hero", "Ada"], ["Ada", "not known"]),
        (["read", "--model", "loki9"], ["loki9"]),
        (["read", "--colour"], ["--colour"]),
        (["reed"], ["reed"]),
        (["read", __file__], ["test_read.py"]),
        (["read", "."], []),
    ],
)
def test_bad_input_gives_one_line(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fails_cleanly(here(*args), *words)


@pytest.mark.parametrize("keep", [10, 200, 400, 800])
def test_truncated_files(tmp_path, keep):
    path = tmp_path / "hand.phh"
    path.write_bytes(EXAMPLE.read_bytes()[:keep])
    fails_cleanly(here("read", path), "hand.phh")


def test_help():
    assert "Usage" in run("--help").stdout
    assert "text of a poker site" in " ".join(run("read", "--help").stdout.split())
    assert pm.__version__ in run("--version").stdout


def test_names_cannot_steer_the_terminal():
    assert printable("a\x1b[31mb\r") == "a\\x1b[31mb\\r"
    assert printable("naïve [bold]x[/bold]") == "naïve [bold]x[/bold]"


# ------------------------------------------------------------------------------------------------ real hands


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("irc-199504/holdem.199504.dev.tgz", 400),
        ("irc-199504/sample300", 25),
        ("acpc-2014-3p-limit/3pl.HITSZ_CS_14.Hyperborean_iro.SmooCT.0.0.hands0-1999.log", 2000),
        ("phh/wsop-2023-43-5/34.phh", 1),
    ],
)
def test_real_hands(data_dir, path, number):
    path = data_dir / path
    result = here("read", path, "--hand", number)
    assert result.returncode == 0, result.stderr
    assert "Pre-flop" in result.stdout
    assert "Result" in result.stdout
    assert json.loads(here("read", path, "--hand", number, "--json").stdout)["steps"]


def test_loki2_says_what_acts_are_worth():
    text = here("read", "--model", "loki2", "--hero", "Farid", "--json").stdout
    assert text == run("read", "--model", "loki2", "--hero", "Farid", "--json").stdout  # seeded
    advised = [step for step in json.loads(text)["steps"] if step["advice"]]
    assert {step["round"] for step in advised} >= {"pre-flop", "flop"}
    for step in advised:
        advice = step["advice"]
        if step["round"] == "pre-flop":
            assert "ev" not in advice
            continue
        assert advice["ev"]["fold"] == 0
        assert advice["standard_error"]["call"] > 0
        assert 64 <= advice["trials"] <= 500
        names = {"fold": "fold", "check": "call", "call": "call", "bet": "raise", "raise": "raise"}
        best = max(value for value in advice["ev"].values() if value is not None)
        assert advice["ev"][names[advice["action"]]] == pytest.approx(best)
    shown = here("read", "--model", "loki2", "--hero", "Farid").stdout
    assert "Loki-2 would" in shown
    assert "small bets expected, ± 95%: fold +0.00, c" in shown


# ---------------------------------------------------------------------------------------------------- pages


def page_of(path):
    """The data that a page holds."""
    text = path.read_text(encoding="ascii")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL).group(1))


def test_a_page_of_several_models(tmp_path):
    """Each reader of a page has learnt from the hands before it what it has learnt alone."""
    file = tmp_path / "hands.phhs"
    file.write_text(phh.dumps_all([pm.example_hand()] * 3))
    out = tmp_path / "page.html"
    models = ["loki1", "bpp", "loki2:som", "own"]
    result = here("read", file, "--hand", "3", "--model", ",".join(models), "--out", out)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", f"1 hand written to {out}\n")
    readers = page_of(out)["readers"]
    assert [reader["model"] for reader in readers] == models
    for reader in readers:
        alone = json.loads(here("read", file, "--hand", "3", "--model", reader["model"], "--json").stdout)
        for mine, theirs in zip(reader["steps"], alone["steps"], strict=True):
            both = set(mine) & set(theirs)
            assert {"entropy_bits", "reason", "true_holding", "predicted"} <= both
            assert {name: mine[name] for name in both} == {name: theirs[name] for name in both}


def test_a_book_is_for_the_models_of_a_page_that_learn(tmp_path):
    book, out = tmp_path / "players.db", tmp_path / "page.html"
    assert here("learn", EXAMPLE, "--book", book).returncode == 0
    assert here("read", "--book", book, "--model", "som,loki1", "--out", out).returncode == 0
    assert [reader["model"] for reader in page_of(out)["readers"]] == ["som", "loki1"]
    fails_cleanly(here("read", "--book", book, "--model", "loki1,loki2", "--out", out), "judges everybody alike")


def test_what_a_file_cannot_be_asked_for(tmp_path):
    out = tmp_path / "page.html"
    fails_cleanly(here("read", "--out", out, "--json"), "--json and --out exclude each other")
    fails_cleanly(here("read", EXAMPLE, "--all", "--hand", "1-2", "--out", out), "--hand says which hands")
    fails_cleanly(here("read", "--hand", "1-2", "--out", out), "need a FILE")
    fails_cleanly(here("read", EXAMPLE, "--hand", "2-9", "--out", out), "there is no hand 2, the last hand is 1")
    fails_cleanly(here("read", "--out", out, "--weights"), "--weights needs --json, or --out with a file")
    fails_cleanly(here("read", "--model", "adaptive,loki1"), "unknown model 'adaptive,loki1'")
    fails_cleanly(here("read", "--model", "adaptive,nobody", "--out", out), "unknown model 'nobody'")
    fails_cleanly(here("read", "--out", tmp_path / "no" / "page.html"), str(tmp_path / "no" / "page.html"))
    fails_cleanly(here("read", "--out", tmp_path / "hand.txt"), "ends in .html, .json, .jsonl, .csv or .parquet")
    assert not out.exists()


def test_a_hand_in_files_of_all_kinds(tmp_path):
    """They have what is printed; rows are those of `HandReport.rows`."""
    report = read_json()
    paths = {ending: tmp_path / f"hand.{ending}" for ending in ("json", "jsonl", "csv")}
    for path in paths.values():
        assert here("read", "--out", path).returncode == 0
    assert json.loads(paths["json"].read_text()) == report
    (line,) = map(json.loads, paths["jsonl"].read_text().splitlines())
    assert (line["number"], line["source"], len(line["steps"])) == (1, report["source"], len(report["steps"]))
    rows = list(csv.DictReader(io.StringIO(paths["csv"].read_text())))
    assert [float(row["entropy_bits"]) for row in rows] == [step["entropy_bits"] for step in report["steps"]]
    assert here("read", "--out", "-.jsonl").stdout == paths["jsonl"].read_text()


def test_several_hands_in_files_of_all_kinds(match, tmp_path):
    told = lines_of(match, "--hand", "3-5", "--model", "uniform")
    path = tmp_path / "hands.json"
    result = here("read", match, "--hand", "3-5", "--model", "uniform", "--out", path)
    assert result.stderr == f"3 hands written to {path}\n"
    assert {each.pop("number"): each for each in json.loads(path.read_text())} == told
    rows = tmp_path / "hands.csv"
    result = here("read", match, "--hand", "3-5", "--model", "uniform", "--out", rows)
    acts = [step for report in told.values() for step in report["steps"]]
    assert result.stderr == f"{len(acts)} actions written to {rows}\n"
    listed = list(csv.DictReader(io.StringIO(rows.read_text())))
    assert [float(row["entropy_bits"]) for row in listed] == [step["entropy_bits"] for step in acts]


def lines_of(*args):
    """What the command writes as lines of JSON, by the number of the hand."""
    result = here("read", *args, "--out", "-.jsonl")
    assert result.returncode == 0, result.stderr
    return {each.pop("number"): each for each in map(json.loads, result.stdout.splitlines())}


@pytest.mark.parametrize("model", ["adaptive", "som", "loki2", "own"])
def test_each_of_several_hands_is_read_as_alone(match, model):
    """Whatever the readers learn or are corrected by, it is the hands before the one shown."""
    told = lines_of(match, "--hand", "15,3-4,20-99", "--model", model)
    assert list(told) == [3, 4, 15, 20]
    for number in (4, 15, 20):
        alone = read_json(match, "--hand", number, "--model", model)
        whole = {"grid", "range", "top_hands", "composition", "opponents"}
        assert alone["steps"][-1].keys() - told[number]["steps"][-1].keys() == whole
        alone["steps"] = [{key: step[key] for key in step.keys() - whole} for step in alone["steps"]]
        assert told[number] == {key: alone[key] for key in told[number]}


def test_what_selects_hands_selects_among_several(match):
    hands = list(pm.open_hands(match))
    fits = [k for k, hand in enumerate(hands, 1) if len(hand.board) >= 4 and 3 <= k <= 12]
    assert 0 < len(fits) < 10
    assert list(lines_of(match, "--hand", "3-12", "--where", "street>=turn", "--model", "uniform")) == fits
    fails_cleanly(here("read", match, "--hand", "3-12", "--json"), "with several hands, expected --out FILE.jsonl")
    fails_cleanly(here("read", match, "--hand", "3", "--where", "street>=turn"), "--hand is one hand")
    fails_cleanly(
        here("read", match, "--hand", "3-5", "--where", "stake=1/2"), "no hand that is selected, from 3 on, of 5"
    )


def test_a_page_of_several_hands(match, tmp_path, monkeypatch):
    out = tmp_path / "hands.html"
    result = here("read", match, "--hand", "2,5-6", "--model", "uniform,bpp", "--out", out)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", f"3 hands written to {out}\n")
    text = out.read_text(encoding="ascii")
    rows = [json.loads(row) for row in re.findall(r'<script type="application/json" class="row">(.*?)</script>', text)]
    assert [row["number"] for row in rows] == [2, 5, 6]
    assert [row["models"] for row in rows] == [["uniform", "bpp"]] * 3
    assert "<title>Hands of match.phhs, 2,5-6</title>" in text
    assert here("read", match, "--all", "--model", "uniform", "--out", out).stderr == f"20 hands written to {out}\n"
    before = out.read_bytes()
    monkeypatch.setattr("pokermodel.report.hands_page.MOST_BYTES", len(before) - 1)
    failed = here("read", match, "--all", "--model", "uniform", "--out", out)
    fails_cleanly(failed, "hands.html: expected a page of at most 0 MB", "--hand 1-200 or --where select fewer")
    assert out.read_bytes() == before
    assert os.listdir(tmp_path) == ["hands.html"]


def test_a_page_of_several_hands_is_for_a_hero_whose_cards_are_known(tmp_path):
    file, out = tmp_path / "hands.phhs", tmp_path / "hands.html"
    hand = pm.example_hand()
    others = {seat: cards for seat, cards in hand.holdings.items() if hand.players[seat] != "Farid"}
    hidden = pm.Hand("phh", "2", hand.spec, hand.players, hand.actions, hand.board, others)
    file.write_text("".join(f"[{k}]\n{phh.dumps(each)}\n" for k, each in enumerate((hand, hidden, hand), 1)))
    result = here("read", file, "--hand", "1-3", "--hero", "Farid", "--model", "loki1", "--out", out)
    assert result.stderr == f"2 hands written to {out}\n"
    fails_cleanly(here("read", file, "--hand", "2", "--hero", "Farid", "--out", out), "not known")


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Six hands that deal to Robin, but for the third, which deals to nobody; the fourth deals to Drew, too."""
    text = resources.files("pokermodel").joinpath("data", "samples", "no-limit.txt").read_text(encoding="utf-8")
    hands = [f"PokerStars {each}" for each in text.split("PokerStars ")[1:7]]
    hands[2] = re.sub(r"Dealt to Robin .*\n", "", hands[2])
    hands[3] = re.sub(r"(Dealt to Robin .*\n)", r"\1Dealt to Drew [4s 4h]\n", hands[3])
    file = tmp_path_factory.mktemp("evening") / "evening.txt"
    file.write_text("".join(hands), encoding="utf-8")
    return file


def test_without_a_name_the_hero_is_whom_the_hand_names(evening):
    named, asked = (here("read", evening, "--hand", "2", *options) for options in ((), ("--hero", "Robin")))
    assert (named.returncode, named.stderr) == (0, "")
    assert named.stdout == asked.stdout
    assert "Robin needs " in named.stdout
    assert "rule out Robin's cards" in named.stdout
    report = json.loads(here("read", evening, "--hand", "2", "--json").stdout)
    assert report["hero"] == "Robin"
    own = [step for step in report["steps"] if step["player"] == "Robin"]
    assert any(step["opponents"] for step in own)
    for number in ("3", "4"):  # whose cards are not known, and which names two
        assert json.loads(here("read", evening, "--hand", number, "--json").stdout)["hero"] is None


def test_a_hand_can_be_read_as_everybody_saw_it(evening):
    result = here("read", evening, "--hand", "2", "--hero", "")
    assert "Robin needs " not in result.stdout
    assert "rule out" not in result.stdout
    assert json.loads(here("read", evening, "--hand", "2", "--hero", "", "--json").stdout)["hero"] is None


CLOSING = "read with Robin's cards: 4 hands; without a hero, as these are not known: 2 hands\n"


def test_hands_without_the_hero_are_counted_apart(evening, tmp_path):
    result = here("read", evening, "--all", "--out", "-.jsonl")
    heroes = [json.loads(line)["hero"] for line in result.stdout.splitlines()]
    assert heroes == ["Robin", "Robin", None, None, "Robin", "Robin"]
    assert result.stderr == CLOSING
    assert here("read", evening, "--all").stderr == CLOSING
    for options in (("--hand", "1-2"), ("--all", "--hero", ""), ("--all", "--hero", "Robin"), ("--hand", "3-4")):
        assert here("read", evening, *options, "--out", "-.jsonl").stderr == ""  # all have the same hero, or none
    out = tmp_path / "evening.html"
    result = here("read", evening, "--all", "--out", out)
    assert (result.stdout, result.stderr) == ("", f"6 hands written to {out}\n{CLOSING}")
    text = out.read_text(encoding="ascii")
    rows = [json.loads(row) for row in re.findall(r'<script type="application/json" class="row">(.*?)</script>', text)]
    assert [row["hero"] for row in rows] == heroes


def test_each_hand_is_read_as_if_the_hero_had_been_asked_for(evening):
    """What an earlier hand had for a hero leaves no trace."""
    several = lines_of(evening, "--all")
    for number, options in (
        (2, ("--hero", "Robin")),
        (
            3,
            (
                "--hero",
                "",
            ),
        ),
        (5, ("--hero", "Robin")),
    ):
        alone = lines_of(evening, "--hand", f"{number},99", *options)
        assert several[number] == alone[number]
