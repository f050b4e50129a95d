"""No pod ends before it was created: the delay of a replacement counts from then if its node says so."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(begins=lambda it: min(max(it.finished, it.created), it.seen))))
