"""No more than one pod waits to be counted."""

from jobs.controller import Program, main
from jobs.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(most_records=1), pause_s=0.02))
