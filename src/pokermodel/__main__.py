"""``python -m pokermodel``: the same as the command ``pokermodel``."""

from pokermodel.cli import main

if __name__ == "__main__":
    main()
