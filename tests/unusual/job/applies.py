"""It applies statuses on the server's side, and replaces pods whole."""

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(write=ways.apply_status, release=ways.release_by_put))
