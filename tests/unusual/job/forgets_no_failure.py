"""A success does not end a row of failures: each failure of a Job delays the next pod longer."""

from jobs.controller import Program, main
from jobs.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(begins=lambda failure: failure.seen, resets=False)))
