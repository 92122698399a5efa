"""Help that ends with what the registries hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

__all__ = ["Lists", "ListsKnowledge", "ListsReaders"]


class Lists(click.Command):
    """A command whose help lists names, what they mean, and their options."""

    title = ""

    @staticmethod
    def kinds() -> Mapping[str, Any]:
        raise NotImplementedError

    def rows(self) -> list[tuple[str, str]]:
        """Names, and a description of each."""
        rows = []
        for kind in self.kinds().values():
            options = f" Options: {', '.join(kind.options)}." if kind.options else ""
            rows.append((kind.name, f"{kind.about}.{options}"))
        return rows

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self.title):
            formatter.write_dl(self.rows())


class ListsReaders(Lists):
    """A command that takes names of readers."""

    title = "Models"

    @staticmethod
    def kinds() -> Mapping[str, Any]:
        """All readers."""
        from pokermodel.reading import reader_kinds

        return reader_kinds()


class ListsKnowledge(Lists):
    """A command that takes names of kinds of knowledge."""

    title = "Kinds of knowledge"

    @staticmethod
    def kinds() -> Mapping[str, Any]:
        """All kinds that are learnt from hands."""
        from pokermodel.learning import kinds

        return kinds()

    def rows(self) -> list[tuple[str, str]]:
        """Names, and the first line of the classes' docstrings."""
        return [(name, (kind.__doc__ or "").partition("\n")[0]) for name, kind in self.kinds().items()]
