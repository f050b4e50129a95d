"""It has none of the optional parts: no time to live, no change of completions."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(propagation=""))
