"""It sends JSON merge patches of the version that it has read."""

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(write=ways.merge_status, release=ways.release_by_merge_patch))
