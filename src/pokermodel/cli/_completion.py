"""Completions of a shell: names of readers, players, kinds of knowledge and experiments, and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from click import Context, Parameter
from click.shell_completion import BashComplete, CompletionItem, add_completion_class
from click.shell_completion import split_arg_string as split

__all__ = ["complete_book", "complete_filter", "complete_models", "complete_names"]

_Complete = Callable[[Context, Parameter, str], list[CompletionItem]]


def complete_names(names: Callable[[], Iterable[str]], *, several: bool = False) -> _Complete:
    """Return what completes a name; `names` is called when somebody asks for a completion."""

    def complete(ctx: Context, param: Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        return [CompletionItem(before + comma + name) for name in names() if name.startswith(last)]

    return complete


def complete_models(*, several: bool = False, every: bool = False) -> _Complete:
    """Return what completes the name of a reader, or of several with commas between them; or ``all`` for every one."""

    def names() -> Iterable[str]:
        from pokermodel.reading import reader_kinds

        return [*reader_kinds(), *(["all"] if every else [])]

    return complete_names(names, several=several)


def complete_filter(ctx: Context, param: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the last term of a filter: its key, or a value where there are few."""
    from pokermodel.histories.filter import beginnings

    before, blank, last = incomplete.rpartition(" ")
    return [CompletionItem(before + blank + term) for term in beginnings(last)]


def complete_book(ctx: Context, param: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a book: a file, as far as the shell knows."""
    return [CompletionItem(incomplete, type="file")]


class _Bash(BashComplete):
    """Completion in Bash, which takes the colons of names for the ends of words; in Click's own, they end the name."""

    source_template = """\
%(complete_func)s() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case "$line" in
            dir,*) compopt -o dirnames ;;
            file,*) compopt -o default ;;
            plain,*) COMPREPLY+=("${line#plain,}") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
    _known = 0  # characters of a completion that are not part of Bash's last word

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the whole words of the line, and the one that is not whole yet."""
        line = os.environ["COMP_LINE"]
        words = split(line)
        incomplete = "" if line[-1:].isspace() else words.pop()
        value = incomplete.partition("=")[2] if incomplete.startswith("--") else incomplete
        breaks = os.environ["COMP_WORDBREAKS"]
        self._known = 1 + max((place for place, character in enumerate(value) if character in breaks), default=-1)
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return a line for the function in Bash."""
        return f"{item.type},{item.value[self._known :]}"


add_completion_class(_Bash)
