"""No status write records more than one pod."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(most_records=1), pause_s=0.02))
