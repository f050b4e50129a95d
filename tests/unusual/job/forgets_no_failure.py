"""A success does not end a row of failures: each failure of a Job delays the next pod longer."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(begins=lambda failure: failure.seen, resets=False)))
