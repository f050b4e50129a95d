"""Of surplus pods the oldest go first, however far they have come."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(first_to_go=lambda pod: pod.created)))
