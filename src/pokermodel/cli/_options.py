"""The options that several commands have, each declared once: the same name, type and help everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click
from click.core import ParameterSource

from pokermodel.cli._completion import complete_book, complete_filter, complete_models
from pokermodel.cli._numbers import read_numbers
from pokermodel.cli._output import in_a_folder, out_option, to_standard_output

if TYPE_CHECKING:
    from pokermodel.executors import Executor
    from pokermodel.histories import Filter
    from pokermodel.library import Book

__all__ = [
    "ACT",
    "ALL_IN_SHARE",
    "BETS",
    "BOARD",
    "CLUSTER",
    "DEAD",
    "DONK",
    "HAND",
    "HERO",
    "JSON",
    "LEAST",
    "MAYBE_WHERE",
    "MOST_RAISES",
    "POLL",
    "RAISES",
    "RESUME",
    "WHERE",
    "Known",
    "Output",
    "Work",
    "book",
    "jobs",
    "known",
    "learnt_with",
    "model",
    "output",
    "refuse",
    "seed",
    "subject",
    "together",
    "work",
    "written_for",
]

F = TypeVar("F", bound=Callable[..., Any])


def _filter(context: click.Context, option: click.Parameter, text: str | None) -> Filter | None:
    if text is None:
        return None
    from pokermodel.histories import Filter

    try:
        return Filter(text)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from None


def _sizes(context: click.Context, option: click.Parameter, text: str | None) -> list[str] | None:
    return None if text is None else [size.strip() for size in text.split(",") if size.strip()]


def _alone(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    if value is not None and context.get_parameter_source("jobs") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--jobs and --cluster both say what does the work: expected one of them")
    return value


JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
POLL = click.option(
    "--poll", is_flag=True, help="Look at the files all the time, on drives that report no changes of files."
)
#: ``--where`` of a command that may do without histories: None if it is not given.
MAYBE_WHERE = click.option(
    "--where",
    "which",
    callback=_filter,
    metavar="FILTER",
    shell_complete=complete_filter,
    help="Take the hands that fit, as in 'hero=Robin pot=3-bet lost>5bb'. Keys: hero vs player seat won lost pot size "
    "street showdown players structure stake site table id since until.",
)
HERO = click.option("--hero", metavar="NAME", help="The hero: the player whose cards are known.")
HAND = click.option(
    "--hand",
    "numbers",
    metavar="NUMBERS",
    callback=read_numbers,
    help="Number of the hand in FILE, or of several, as '3,7,10-12'.",
)
ACT = click.option(
    "--act", type=click.IntRange(min=1), metavar="K", help="Number of the action, as `pokermodel read` prints it."
)
BETS = click.option("--bets", metavar="SIZES", callback=_sizes, help="Sizes of bets, as '50%,12.5c,all-in'.")
RAISES = click.option("--raises", metavar="SIZES", callback=_sizes, help="Sizes of raises, as '60%,3x,all-in'.")
DONK = click.option(
    "--donk",
    metavar="SIZES",
    callback=_sizes,
    help="Sizes of bets into the player who bet or raised last on the street before; '' for none.",
)
MOST_RAISES = click.option(
    "--most-raises", type=click.IntRange(min=1), metavar="N", help="Most bets and raises of a street."
)
ALL_IN_SHARE = click.option(
    "--all-in-share",
    type=click.FloatRange(min=0),
    metavar="PERCENT",
    help="A bet that leaves at most this share of the pot after a call is all-in.  [default: 20]",
)
LEAST = click.option(
    "--least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Leave out holdings of less than this share of the likeliest one's weight.",
)
BOARD = click.option("--board", default="", metavar="CARDS", help="Three to five board cards, such as 2c7d9h.")
DEAD = click.option("--dead", default="", metavar="CARDS", help="Cards that are neither held nor dealt.")
RESUME = click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=in_a_folder,
    help="Keep what is finished in this file, and go on from it if it is there.",
)
CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    callback=_alone,
    help="Dask scheduler whose workers share the work, as tcp://host:8786; or local:4, for four on this machine.",
)


def WHERE(command: F) -> F:  # noqa: N802 (an option as the others)
    """Give a command ``--where``, as the parameter ``which``: a filter, of all hands if none is given."""

    @wraps(command)
    def filtered(*args: Any, which: Filter | None, **values: Any) -> Any:
        from pokermodel.histories import Filter

        return command(*args, which=Filter() if which is None else which, **values)

    return MAYBE_WHERE(cast("F", filtered))


def jobs(default: int | None = 1) -> Callable[[F], F]:
    """``--jobs``; where there is no default, the command has its own."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        default=default,
        show_default=default is not None or "one for each processor",
        help="Processes or threads that share the work.",
    )


def seed(default: int | None = None) -> Callable[[F], F]:
    """``--seed``; where there is no default, it is drawn."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=default,
        show_default=default is not None or "random",
        help="The same seed gives the same result.",
    )


def book(*, required: bool = False) -> Callable[[F], F]:
    """``--book``."""
    return click.option(
        "--book",
        required=required,
        metavar="BOOK",
        shell_complete=complete_book,
        help="What is known of players: a book of `pokermodel learn`, a file or a PostgreSQL URL.",
    )


def model(default: str | None = "adaptive", *, several: bool = False, every: bool = False) -> Callable[[F], F]:
    """``--model``, of one reader or of several, or of every one."""
    return click.option(
        "--model",
        default=default,
        show_default=True,
        metavar="MODEL",
        shell_complete=complete_models(several=several, every=every),
        help="The model that infers ranges, perhaps with options, as in 'adaptive?prior=FILE'; `pokermodel read "
        "--help` lists all.",
    )


def written_for(what: Sequence[str], *, required: bool = False) -> Callable[[F], F]:
    """``--to``, which says for which program results are written, or in which format."""
    return click.option("--to", required=required, type=click.Choice(what), help="The program or format to write for.")


# ------------------------------------------------------------------------------------------------ several together


def together(name: str, kind: type[Any], *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Add options to a command, which gets their values as one parameter: a named tuple with their names as fields."""

    def add(command: Any) -> Any:
        @wraps(command)
        def gathered(*args: Any, **values: Any) -> Any:
            given = kind(**{field: values.pop(field) for field in kind._fields})
            return command(*args, **values, **{name: given})

        for option in reversed(options):
            gathered = option(gathered)
        return gathered

    return add


class Output(NamedTuple):
    """Where results go."""

    as_json: bool
    out: Path | None

    @property
    def ending(self) -> str:
        """The ending of the file, in small letters; empty if there is none."""
        return "" if self.out is None else self.out.suffix.lower()

    @property
    def as_text(self) -> bool:
        """Whether standard output gets text: neither JSON nor what ``--out -.json`` writes."""
        return not (self.as_json or to_standard_output(self.out))


def output(what: str, *endings: str) -> Callable[[F], F]:
    """``--json`` and ``--out``, whose file has one of the endings, as the parameter ``output``."""
    options = together("output", Output, JSON, out_option(what, *endings))

    def add(command: Any) -> Any:
        @wraps(command)
        def checked(*args: Any, output: Output, **values: Any) -> Any:
            if output.as_json and to_standard_output(output.out):
                raise click.UsageError(f"--json and --out {output.out} both write to standard output: expected one")
            return command(*args, output=output, **values)

        return options(checked)

    return add


class Work(NamedTuple):
    """The executor."""

    jobs: int | None
    cluster: str | None

    def executor(self) -> Executor:
        """The executor, which is closed when the command ends."""
        from pokermodel.cli._workers import open_executor

        return open_executor(self.jobs, self.cluster)

    def remote(self) -> Executor | None:
        """The executor of the cluster; None where there is none, and processes are started by what needs them."""
        return None if self.cluster is None else self.executor()


def work(default: int | None = 1) -> Callable[[F], F]:
    """``--jobs`` and ``--cluster``, as the parameter ``work``."""
    return together("work", Work, jobs(default), CLUSTER)


class Known(NamedTuple):
    """Who reads, and what is known of players."""

    model: str
    book: str | None

    def open_book(self) -> Book | None:
        """The book, which is only read, and closed when the command ends; None if none is named."""
        if self.book is None:
            return None
        from pokermodel.library import Book

        return click.get_current_context().with_resource(Book(self.book, create=False))


def known(default: str = "adaptive", *, several: bool = False, every: bool = False) -> Callable[[F], F]:
    """``--model`` and ``--book``, as the parameter ``known``."""
    return together("known", Known, model(default, several=several, every=every), book())


def learnt_with(kind: Any, prior: str | None) -> Any:
    """A kind of knowledge as it is learnt with a prior, where one is named."""
    if prior is None:
        return kind
    from pokermodel.reading import read_prior

    return kind.with_prior(read_prior(prior))


def refuse(why: str, *names: str) -> None:
    """Refuse options that are given and have no use here; `why` stands behind the option: "is for a single spot"."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.opts[0] in names:
            raise click.UsageError(f"{option.opts[0]} {why}")


def subject(hero: str | None, which: Filter | None) -> str | None:
    """The hero of ``--hero`` or of the filter; two that differ are a usage error."""
    other = None if which is None else which.hero
    if hero is not None and other not in (None, hero):
        raise click.UsageError(f"--hero {hero!r} and hero={other!r} of --where are two players: expected one")
    return other if hero is None else hero
