"""The `wirebook` command."""
