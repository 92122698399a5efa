"""The book: files with bookmarks, hands and seats as rows, and filters over columns in memory.

`learning` says what is counted and what readers learn; this room keeps it. Nothing in `learning` knows of a book.
"""

from pokermodel.library.book import Added, Book, Bookmark, Learnt, StoredVerdict
from pokermodel.library.people import By, Structure

__all__ = ["Added", "Book", "Bookmark", "By", "Learnt", "StoredVerdict", "Structure"]
