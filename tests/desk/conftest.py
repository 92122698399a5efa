"""A real browser for the application."""

from tests.report.conftest import browser as browser
