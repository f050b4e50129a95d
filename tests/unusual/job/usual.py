"""Nothing unusual: what all others here are otherwise than."""

from jobs.controller import Program, main

main(Program())
