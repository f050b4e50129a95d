"""A Job whose time to live is over is deleted in the background: it goes before its pods."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(propagation="Background"))
