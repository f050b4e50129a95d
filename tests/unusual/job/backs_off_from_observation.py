"""The delay of a replacement counts from when this process saw the failure."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(begins=lambda failure: failure.seen)))
