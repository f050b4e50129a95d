"""It sends JSON patches that test what they change."""

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(write=ways.json_patch_status, release=ways.release_by_json_patch))
