"""`python -m spadille`: the command line."""

from spadille.cli import main

if __name__ == "__main__":
    main()
