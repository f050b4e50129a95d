"""It makes one request after the other, and waits for each answer."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(at_once=1, in_turn=True))
