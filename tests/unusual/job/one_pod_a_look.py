"""It creates or deletes one pod, and looks at the Job again."""

from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(most_pods=1), pause_s=0.02))
