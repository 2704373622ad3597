"""Where the command begins: before anything slow is imported, so that Ctrl-C always ends well."""

import sys


def main() -> None:
    """Run the command."""
    try:
        from wirebook_cli.main import main as command
    except KeyboardInterrupt:
        print("wirebook: interrupted", file=sys.stderr)
        sys.exit(130)
    command()
