"""The Desk: a local application over the book, with addresses, a guard, events and work in the background."""
