"""The commands of the command line, one module each; every module defines one click command named ``command``."""
