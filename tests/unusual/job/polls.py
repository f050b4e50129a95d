"""It lists everything from time to time, and pays no heed to what it watches."""

from tests.unusual.job.controller import Program, main

if __name__ == "__main__":
    main(Program(looks_every_s=0.7))
