"""It sends JSON merge patches of the version that it has read."""

from jobs import ways
from jobs.controller import Program, main

if __name__ == "__main__":
    main(Program(write=ways.merge_status, release=ways.release_by_merge_patch))
