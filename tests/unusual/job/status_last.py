"""Pods are created and deleted before the status is written, and the first refusal ends a look at a Job."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(order=("create", "status", "delete", "release"), stops_at_errors=True))
