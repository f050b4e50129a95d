"""The commands of the command line: each module defines one click command named ``command``."""
