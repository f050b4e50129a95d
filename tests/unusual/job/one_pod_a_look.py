"""It creates or deletes one pod, and looks at the Job again."""

from jobs.controller import Program, main
from jobs.decide import Choices

if __name__ == "__main__":
    main(Program(choices=Choices(most_pods=1), pause_s=0.02))
