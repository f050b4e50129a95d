"""A surplus pod is marked, deleted, and released last: it may have ended by then."""

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(remove=ways.mark_then_delete))
