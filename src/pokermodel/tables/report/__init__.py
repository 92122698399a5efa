"""Pages, notebook forms and terminal views of tables."""
