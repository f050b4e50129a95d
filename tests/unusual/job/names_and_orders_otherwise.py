"""Pods have names of its own making, and the highest indexes come first."""

from jobs import ways
from jobs.controller import Program, main
from jobs.decide import Choices

if __name__ == "__main__":
    main(
        Program(
            choices=Choices(indexes=lambda free, count: free[::-1][:count]),
            names=ways.own_name,
            at_once=50,
        )
    )
