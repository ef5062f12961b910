"""`python -m editmt` is the `editmt` command."""

from editmt.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
