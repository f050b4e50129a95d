"""Pods have names of its own making, and the highest indexes come first."""

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

if __name__ == "__main__":
    main(
        Program(
            choices=Choices(indexes=lambda free, count: free[::-1][:count]),
            names=ways.own_name,
            at_once=50,
        )
    )
