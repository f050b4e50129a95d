"""Nothing unusual: what all others here do otherwise."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program())
